# A folder of indexes is searched as one; the hits are those of one index.
akin synth bags --rows 90 --dim 300 --words 30 --quiet --out all.svm > /dev/null
split -n l/2 -d --additional-suffix=.svm all.svm part-
akin index tfidf --data all.svm --out one.index > /dev/null
akin index tfidf --data 'part-*.svm' --shards 4 --out s | sed 's/, [^,]*$//'
ls s
akin search one.index --queries part-00.svm --exact > a
akin search s --queries part-00.svm --exact > b
cmp a b && echo the same
akin info s | head -5
akin check s
akin index tfidf --data part-00.svm --shards 2 --out s --json | grep rows
