printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > a.svm
akin index euclidean --data a.svm --out i > /dev/null
akin search i --like 0,2 --unlike 3 --score dot --exact
akin search i --queries a.svm --like 1 --top 1 --score cosine --exact
