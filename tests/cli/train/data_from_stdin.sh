source "$CASES/../data.sh"
akin train solis-ada --data - --index-base 1 --sample 100 --quiet --out a < rows.svm > /dev/null
akin train solis-ada --data rows.svm --dim 200 --sample 100 --quiet --out b > /dev/null
cmp a b
