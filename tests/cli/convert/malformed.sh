printf "1 1:2\n1 2:x\n" > a.svm
akin convert a.svm b.svm
code=$?
ls
exit $code
