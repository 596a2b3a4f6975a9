. $CASES/../data.sh
akin train perceptron --data rows.svm --weights binary-idf --passes 3 --out m --quiet >/dev/null 2>&1
akin eval m --data rows.svm --task rank
akin eval m --data rows.svm --task rank --json
