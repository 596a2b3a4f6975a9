source "$CASES/../data.sh"
akin split rows.svm --fraction 0.001 --out a.svm b.svm; echo $?
akin split rows.svm --fraction 1 --out a.svm b.svm; echo $?
ls
