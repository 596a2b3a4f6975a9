. $CASES/../data.sh
akin train perceptron --data rows.svm --sample 200 --out whole --quiet >/dev/null 2>&1
akin train perceptron --data rows.svm --sample 77 --out a --quiet >/dev/null 2>&1
akin train perceptron --data rows.svm --resume a --sample 123 --out b --quiet >/dev/null 2>&1
cmp whole b
