source "$CASES/../data.sh"
akin split rows.svm --out a.svm
