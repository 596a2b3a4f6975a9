printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
echo "? 1:1" > q.svm
akin eval euclidean --data q.svm --task knn --train a.svm
