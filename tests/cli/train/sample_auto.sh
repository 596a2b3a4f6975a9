source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --sample auto --quiet --out a > /dev/null
akin train solis-ada --data rows.svm --quiet --out b > /dev/null
cmp a b
