printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > a.svm
akin index euclidean --data a.svm --out i | sed 's/, [0-9.]* .*//'
akin info i
