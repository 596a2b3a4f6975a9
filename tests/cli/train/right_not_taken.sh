source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --right rows.svm --pairs all --quiet --out m
