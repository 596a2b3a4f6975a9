printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > a.svm
akin index cosine --data a.svm --out i > /dev/null
for by in dot cosine distance; do akin search i --queries a.svm --top 1 --score $by --exact; done
