printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
printf "0 1 1\n2 3 1\n" > p
akin eval euclidean --data a.svm --task verify --pairs p
