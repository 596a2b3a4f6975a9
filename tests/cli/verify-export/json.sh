. "$CASES/../data.sh"
akin index tfidf --data rows.svm --out x.index --quiet
akin export x.index --to csv --out x --quiet
akin verify-export x --against x.index --queries rows.svm --top 5 --json |
    sed 's/"difference": .*/"difference": .../'
