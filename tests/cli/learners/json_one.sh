akin learners tfidf --json
