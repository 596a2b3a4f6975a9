printf "? 1:1\n? 2:1\n" > a.svm
akin train tfidf --data a.svm --out m
