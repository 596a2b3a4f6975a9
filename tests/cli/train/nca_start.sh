# Fewer labelled rows than columns: the learned space is that of lda, unless it
# had a single direction.
awk 'BEGIN { srand(1); print "a,b,c,d,e,f,g,h,two,three"
             for (i = 0; i < 6; ++i) {
                 for (j = 0; j < 8; ++j) printf "%g,", rand() + (j == i % 3)
                 print "k" (i % 3 == 0) ",k" i % 3 } }' > rows.csv
rank() {
    akin train nca --data table.csv --label-column label "$@" --verdict none --quiet --json \
        --out m | grep '^  "rank"'
}
cut -d, -f1-9 rows.csv | sed 1s/two/label/ > table.csv
rank
rank --start lda
rank --rank 1
cut -d, -f1-8,10 rows.csv | sed 1s/three/label/ > table.csv
rank
rank --start identity
