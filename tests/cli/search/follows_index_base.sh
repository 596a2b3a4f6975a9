printf '1 0:2 3:1\n2 2:1 3:2\n' > a.svm
akin index euclidean --data a.svm --out i > /dev/null
printf '1 2:1\n' > q.svm
akin search i --queries q.svm --top 1
