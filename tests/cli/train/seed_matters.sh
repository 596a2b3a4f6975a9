source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --quiet --verdict none --sample 200 --out a > /dev/null
akin train solis-ada --data rows.svm --quiet --verdict none --sample 200 --seed 2 --out b > /dev/null
cmp -s a b || echo differ
