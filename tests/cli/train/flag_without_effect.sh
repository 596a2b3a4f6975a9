# A flag that would be ignored is refused.
source "$CASES/../data.sh"
akin train solis-ada --data rows.svm --quiet --verdict none --sample 10 --out m > said
for flag in '--start mask' '--start-weight 1'; do
    akin train solis-ada --resume m --data rows.svm $flag --out m; echo $?
done
akin train lmnn-diag --data rows.svm --passes 3 --out m; echo $?
akin train tfidf --data rows.svm --sample 3 --out m; echo $?
