printf "? 1:1\n? 1:2\n" > a.svm
akin eval euclidean --data a.svm --task retrieval
