printf 'a 1:1\na 1:2\nb 1:4\nb 1:7\n' > a.svm
printf '0 1 1\n0 2 -1\n2 3 1\n1 3 -1\n1 2 -1\n0 3 -1\n' > p.txt
akin eval euclidean --data a.svm --task verify --pairs p.txt --report out
akin eval euclidean --data a.svm --task knn --train a.svm --report out > said
ls out
grep -c '<svg' out/roc.svg out/error.svg
grep -c 'by chance' out/roc.svg
