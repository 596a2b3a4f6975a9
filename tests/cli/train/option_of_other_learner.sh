source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --rank 10 --out m
