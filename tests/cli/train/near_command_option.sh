source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --smaple 10 --out m
