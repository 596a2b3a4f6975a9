source "$CASES/../data.sh"
akin index tfidf --data rows.svm --out i > /dev/null
akin search i --queries rows.svm --threads 1 > a
akin search i --queries rows.svm --threads 2 > b
cmp a b
