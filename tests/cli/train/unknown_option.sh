source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --etta 0.1 --out m
