source "$CASES/../data.sh"
printf "1 1:1 2:1\n2 1:1\n" > s.svm
akin eval tfidf --data rows.svm --train s.svm --task retrieval --json | grep map > a
akin eval tfidf --data rows.svm --task retrieval --json | grep map > b
cmp -s a b || echo differ
