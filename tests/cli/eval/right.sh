printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
printf "a 1:1\nb 1:7\n" > b.svm
akin eval euclidean --data a.svm --right b.svm --task retrieval --json | grep -E "map|rows|queries"
