printf '+1 1:1\n-1 2:1\n' > train.svm
printf 'x,y,class\n1,0,1.0\n0,1,-1\n0,2,-1e0\n' > test.csv
akin eval euclidean --task knn --train train.svm --data test.csv \
    --label-column class | head -1
akin predict euclidean --train train.svm --data test.csv --label-column class
akin info test.csv --label-column class | grep labels
