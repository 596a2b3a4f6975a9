printf "a,b 1:1\nc 2:1\na 1:1 3:1\n" > t.svm
printf "a 1:1\nd 2:1\n" > u.svm
akin train perceptron --data t.svm --out m --quiet >/dev/null 2>&1
akin train perceptron --data u.svm --resume m --out n --quiet
