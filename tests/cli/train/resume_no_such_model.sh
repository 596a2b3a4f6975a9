source "$CASES/../data.sh"
akin train solis-tg --data rows.svm --resume a --out b
