printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > a.svm
akin index euclidean --data a.svm --out i > /dev/null
printf '1 1:2 3:1\n? 2:2\n' > q.svm
akin search i --queries q.svm --top 3
