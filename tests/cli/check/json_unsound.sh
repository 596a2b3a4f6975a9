printf 'a 1:x\n' > a.svm
akin check a.svm --json; echo $?
akin check b.svm --json; echo $?
