source "$CASES/../data.sh"
akin train oasis-diag --data rows.svm --weights binary-idf --sample 1000 --validate 0.3 --patience 2 --check-every 100 --out m | sed 's/ in .*updates//; s/ in [0-9].*//'
akin train oasis-diag --data rows.svm --weights binary-idf --sample 1000 --validate 0.3 --measure error --quiet --json --out m |
    grep -A6 validation | sed 's/"score": .*/"score": S/'
