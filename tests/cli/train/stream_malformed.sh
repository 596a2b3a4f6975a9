source "$CASES/../data.sh"
printf "0 1 2\n0 1 x\n" | akin train solis-tg --data rows.svm --quiet --triplets - --out m
code=$?
ls
exit $code
