printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
printf "a 1:6\n" > q.svm
akin eval euclidean --data a.svm --task retrieval --queries q.svm --json | grep -E "map|queries"
