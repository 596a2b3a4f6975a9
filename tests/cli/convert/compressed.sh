printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n" > a.svm
gzip -k a.svm
akin convert a.svm.gz b.svm
cmp a.svm b.svm
