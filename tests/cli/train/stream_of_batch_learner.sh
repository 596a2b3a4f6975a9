source "$CASES/../data.sh"
akin train qpao --data rows.svm --triplets - --out m < /dev/null
