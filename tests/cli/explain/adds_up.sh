cat > a.svm <<END
1 1:2 3:1
2 2:1 3:2
1 1:1 3:4
END
akin explain cosine --data a.svm --rows 0,2 --exact
