printf '1,2 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n' > a.svm
akin train group-perceptron --data a.svm --quiet --out m > /dev/null
akin index m --data a.svm --out i
