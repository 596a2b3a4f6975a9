printf "sport,b 1:1\nc 2:1\nsport 1:1 3:1\n" > t.svm
akin train perceptron --data t.svm --out m --quiet >/dev/null 2>&1
akin explain m --data t.svm --rows 2 --label sprot
