source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --weights sqrt --norm global --sample 10 --quiet --verdict none --out m > /dev/null
akin info m | grep recipe
