cat > a.svm <<END
1 1:2 3:1
2 2:1 3:2
1 1:1 3:4
END
echo "5 1:7" > b.svm
akin explain euclidean --data a.svm --right b.svm --rows 1,0
