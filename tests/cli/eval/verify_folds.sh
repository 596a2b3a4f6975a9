# Each half is judged by the threshold of the other, -0.5 and -2.5; both are wrong
# for one pair.
printf '1 1:0\n1 1:1\n1 1:2\n1 1:4\n1 1:8\n' > a.svm
printf '0 1 1\n0 2 -1\n0 0 1\n0 3 -1\n' > p.txt
printf '0 0 1\n0 1 -1\n1 1 1\n0 4 -1\n' >> p.txt
akin eval euclidean --data a.svm --task verify --pairs p.txt --folds 2 --json
akin eval euclidean --data a.svm --task verify --pairs p.txt --folds 9; echo $?
akin eval euclidean --data a.svm --task verify --pairs p.txt --folds 1; echo $?
sort -n -k 3 p.txt > q.txt
akin eval euclidean --data a.svm --task verify --pairs q.txt --folds 2; echo $?
