source "$CASES/../data.sh"
akin train solis-tg --data rows.svm --quiet --verdict none --sample 10 --out a > /dev/null
akin train solis-tg --data rows.svm --resume a --weights tf --out b
