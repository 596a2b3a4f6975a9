# What is wrong in one line, and nothing is left behind.
. "$CASES/../data.sh"
try() { akin "$@" || echo "exit $?"; }
akin index tfidf --data rows.svm --out s.index --quiet
printf '1,2\n3,4\n5,7\n' >points.csv
akin index euclidean --data points.csv --label-column none --out p.index --quiet
try export
try export s.index --out x
try export s.index --to mysql --out x
try export s.index --to faiss --out x
try export s.index --to opensearch --score distance --out x
try export s.index --to pgvector --half --out x
try export s.index --to csv --shards 2 --out x
try export p.index --to pgvector --name 'a;b' --out x
try export p.index --to pgvector --names n.csv --out x
try export p.index --to csv --force --out x
try export missing.index --to csv --out x
try export rows.svm --to csv --out x
try export cosine --to csv --out x
akin train pca --data points.csv --label-column none --rank 1 --verdict none \
    --out m.safetensors --quiet
try export m.safetensors --to csv --out x
try export p.index --to csv --out no/where
try export p.index --to xmp --out x
mkdir other && touch other/file
try export p.index --to csv --out other
try export p.index --to csv --out points.csv
try export p.index --to csv --since other --out x
akin export p.index --to csv --out first --quiet
try export s.index --to csv --since first --out x
try export p.index --to pgvector --since first --out x
try export p.index --to numpy --since first --out x
ls
