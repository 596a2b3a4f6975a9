source "$CASES/../data.sh"
akin split rows.svm --fraction 0.65 --by-class --out a.svm b.svm
