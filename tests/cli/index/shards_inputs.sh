# An output is never one of the files of a pattern; what cannot be cut is one
# shard; and what an index in shards is not for.
printf "1 1:2 3:1\n2 2:1 3:2\n1 1:1 3:4\n2 2:3\n" > part-0.svm
cp part-0.svm part-1.svm
akin convert 'part-*.svm' part-0.svm
echo $?
akin train lda --data 'part-*.svm' --out part-1.svm
echo $?
akin index tfidf --data 'part-?.svm' --out part-0.svm
echo $?
cmp part-0.svm part-1.svm && echo unchanged
gzip part-1.svm
akin index tfidf --data part-1.svm.gz --shards 2 --out s --quiet
ls s
akin export s --to numpy --out e
echo $?
akin index tfidf --data - --shards 2 --out t < part-0.svm
echo $?
