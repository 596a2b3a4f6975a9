echo "1 2:1 1:1" > a.svm
akin check a.svm
