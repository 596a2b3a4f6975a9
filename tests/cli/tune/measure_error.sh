source "$CASES/../data.sh"
akin tune solis-ada --data rows.svm --sample 500 --trials 1 --measure error --quiet --out m | head -1
