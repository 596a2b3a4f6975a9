source "$CASES/../data.sh"
akin train solis-ada --as-published --data rows.svm --quiet --sample 2000 --out m > /dev/null
akin index m --data rows.svm --out all > /dev/null
akin index m --data rows.svm --prune --out some > /dev/null
akin search all --queries rows.svm > a
akin search some --queries rows.svm > b
cmp a b && [ $(stat -c %s some) -lt $(stat -c %s all) ] && echo smaller
