. $CASES/../data.sh
akin train perceptron --data rows.svm --out m --quiet >/dev/null 2>&1
akin eval m --data rows.svm --task retrieval
