printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
echo 0 1 > r
echo 0 3 > l
akin eval euclidean --data a.svm --task retrieval --relevant r --json | grep map
akin eval euclidean --data a.svm --task retrieval --relevant r --like l --json | grep map
