printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n" > a.svm
printf "0 1\n1 2 -1\n# a comment\n2 2\n" > p
akin score euclidean --data a.svm --pairs p
