source "$CASES/../data.sh"
akin train qpao --data rows.svm --quiet --sample 10 --out a > /dev/null
akin train qpao --data rows.svm --quiet --resume a --out b
