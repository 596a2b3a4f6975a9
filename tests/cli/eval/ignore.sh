printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
echo 0 3 > r
printf "0 1\n0 2\n" > i
akin eval euclidean --data a.svm --task retrieval --relevant r --ignore i --json | grep -E "map|queries|skipped"
