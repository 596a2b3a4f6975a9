printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
printf "a 1:1\nb 1:2\nb 1:9\n" > q.svm
akin eval euclidean --data q.svm --task knn --train a.svm --k 2 --json
