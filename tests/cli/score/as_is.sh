source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --quiet --sample 100 --out m > /dev/null
echo 0 1 > p
akin score m --data rows.svm --pairs p > a
akin score m --data rows.svm --pairs p --as-is > b
cmp -s a b || echo differ
