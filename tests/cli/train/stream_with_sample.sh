source "$CASES/../data.sh"
akin train solis-tg --data rows.svm --triplets - --sample 10 --out m < /dev/null
