printf 'a 1:1\nb 2:1\n' > train.svm
printf '1 1:1\n+1 2:1\n' > test.svm
akin eval euclidean --task knn --train train.svm --data test.svm | head -1
