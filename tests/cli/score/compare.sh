printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n" > a.svm
echo 0 2 > p
for by in dot cosine distance; do akin score euclidean --data a.svm --pairs p --score $by --exact; done
