source "$CASES/../data.sh"
akin split rows.svm --out a.svm b.svm
sort a.svm b.svm > all
sort rows.svm | cmp - all
