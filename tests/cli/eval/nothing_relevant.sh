printf "a 1:1\nb 1:2\n" > a.svm
akin eval euclidean --data a.svm --task retrieval
