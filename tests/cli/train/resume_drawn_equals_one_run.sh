source "$CASES/../data.sh"
akin train solis-tg --data rows.svm --quiet --sample 900 --out a > /dev/null
akin train solis-tg --data rows.svm --quiet --sample 400 --out b > /dev/null
akin train solis-tg --data rows.svm --quiet --sample 500 --resume b --out b > /dev/null
cmp a b
