source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --quiet --sample 100 --out m > /dev/null
printf "1 1:1\n2 201:1\n" > wide.svm
echo 0 1 > p
akin score m --data wide.svm --pairs p
