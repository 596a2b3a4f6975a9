source "$CASES/../data.sh"
akin tune solis-ada --data rows.svm --sample 500 --trials 3 --out m
