printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
: > out
akin eval euclidean --data a.svm --task retrieval --report out
