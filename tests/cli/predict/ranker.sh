printf "a,b 1:1\nc 2:1\na 1:1 3:1\n" > t.svm
printf "? 1:1\n? 2:3\n" > q.svm
akin train perceptron --data t.svm --norm none --weights none --eta 1 --out m --quiet >/dev/null
akin predict m --data q.svm --top 2
akin predict m --data q.svm --top 9 --json
