source "$CASES/../data.sh"
akin train qpao --data rows.svm --validate 0.3 --quiet --out m
