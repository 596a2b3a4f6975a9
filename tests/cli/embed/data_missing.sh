akin embed tfidf --out b.svm
