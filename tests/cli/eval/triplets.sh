printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
printf "0 1 2\n0 3 2\n0 1 1\n" > t
akin eval euclidean --data a.svm --task triplets --triplets t
