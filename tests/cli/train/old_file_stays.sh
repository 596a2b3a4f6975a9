source "$CASES/../data.sh"
echo old > m
printf "0 1 2\nx\n" > t
akin train solis-ada --data rows.svm --quiet --triplets t --out m
code=$?
cat m
ls
exit $code
