source "$CASES/../data.sh"
akin train oasis-diag --data rows.svm --patience 3 --quiet --out m
