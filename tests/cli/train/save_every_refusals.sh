source "$CASES/../data.sh"
for every in 0 -3 1.5 ten 10m 5s5 s inf nan; do
    akin train solis-ada --data rows.svm --save-every $every --out m
    echo $?
done
akin train itml --data rows.svm --save-every 10 --out m; echo $?
akin train auto --data rows.svm --save-every 10 --out m; echo $?
akin train solis-ada --data rows.svm --save-every 10 --validate 0.2 --out m; echo $?
ls
