printf "a,b 1:1\nc 2:1\na 1:1 3:1\n" > t.svm
akin train perceptron --data t.svm --norm none --weights none --eta 1 --out m --quiet >/dev/null 2>&1
akin explain m --data t.svm --rows 2 --label a
akin explain m --data t.svm --rows 2 --label a --json
