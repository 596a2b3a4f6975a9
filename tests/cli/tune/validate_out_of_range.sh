source "$CASES/../data.sh"
akin tune solis-ada --data rows.svm --validate 1.5 --quiet --out m
