source "$CASES/../data.sh"
echo 0 3 1 | akin train oasis-diag --data rows.svm --triplets - --validate 0.3 --quiet --out m
