source "$CASES/../data.sh"
echo 0 1 60 | akin train solis-tg --data rows.svm --quiet --triplets - --out m
