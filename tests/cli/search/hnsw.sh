akin synth bags --rows 400 --dim 40 --words 30 --class-words 9 --out b.svm > /dev/null
akin train loreta-1 --data b.svm --rank 8 --sample 500 --quiet --verdict none --out m > /dev/null
akin index m --data b.svm --out exact > /dev/null
akin index m --data b.svm --approximate hnsw --threads 1 --out a > /dev/null
akin index m --data b.svm --approximate hnsw --threads 2 --out b > /dev/null
cmp a b
akin search exact --queries b.svm --top 3 > e
akin search a --queries b.svm --top 3 | diff - e | wc -l
akin search a --queries b.svm --score distance
