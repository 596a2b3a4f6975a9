source "$CASES/../data.sh"
akin train qpao --data rows.svm --sample 200 --max-sweeps 1 --tol 0 --quiet --out m --json |
    grep converged
