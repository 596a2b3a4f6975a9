source "$CASES/../data.sh"
akin train tfidf --data rows.svm --quiet --out m > /dev/null
akin eval m --data rows.svm --train rows.svm --task retrieval | head -1
