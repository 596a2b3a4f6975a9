printf '1 1:2\n2 1:3\n' > a.svm
akin embed euclidean --data a.svm --out - 2> said
cat said
