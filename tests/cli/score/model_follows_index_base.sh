source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --index-base 0 --quiet --sample 100 --out m > /dev/null
printf "1 1:1 2:1\n2 1:1 2:1\n" > b.svm
echo 0 1 > p
akin score m --data b.svm --pairs p > a
akin score m --data b.svm --index-base 0 --pairs p > b
cmp a b
