source "$CASES/../data.sh"
akin train solis-tg --data rows.svm --quiet --sample 10 --out a > /dev/null
akin train solis-da --data rows.svm --quiet --resume a --out b
