source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --recipe r --norm l2 --out m
