. $CASES/../data.sh
printf "0 3 1\n" > t
akin train perceptron --data rows.svm --triplets t --out m
