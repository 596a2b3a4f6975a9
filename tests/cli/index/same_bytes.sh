source "$CASES/../data.sh"
akin index tfidf --data rows.svm --threads 1 --out a > /dev/null
akin index tfidf --data rows.svm --threads 2 --out b > /dev/null
cmp a b
