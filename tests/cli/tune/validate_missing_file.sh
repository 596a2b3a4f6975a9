source "$CASES/../data.sh"
akin tune solis-ada --data rows.svm --validate x.svm --quiet --out m
