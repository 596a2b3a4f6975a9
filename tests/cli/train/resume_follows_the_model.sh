source "$CASES/../data.sh"
akin train solis-tg --data rows.svm --quiet --verdict none --sample 10 --out a > /dev/null
printf "1 1:1\n2 201:1\n" > wide.svm
akin train solis-tg --data wide.svm --resume a --out b
