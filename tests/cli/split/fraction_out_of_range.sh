source "$CASES/../data.sh"
akin split rows.svm --fraction 1.5 --out a.svm b.svm
