# A warning where the rows are those that the model learned from.
n=0
while [ $n -lt 60 ]; do
    printf '%d.%d,%d,%d,%s\n' $((n % 7)) $((n * 37 % 100)) $((n % 5)) $((n * n % 11)) $((n % 2))
    n=$((n + 1))
done > rows
for part in 'a 1,30p' 'b 31,60p' 'all 1,60p'; do
    set -- $part
    { echo a,b,c,label; sed -n $2 rows; } > $1.csv
done
akin train oasis-diag --data a.csv --sample 500 --out m --quiet --verdict none
learned() {
    akin eval m "$@" --json --quiet | grep rows_learned_from
}
learned --data a.csv --task retrieval
learned --data b.csv --task retrieval
learned --data all.csv --task retrieval
learned --data b.csv --queries a.csv --task retrieval
learned --data a.csv --train b.csv --task knn
learned --data b.csv --train a.csv --task knn
printf '0 1 1\n0 2 -1\n31 32 1\n33 34 -1\n' > pairs
learned --data all.csv --pairs pairs --task verify
printf '40 41 42\n43 44 45\n' > triplets
learned --data all.csv --triplets triplets --task triplets
seq 30 59 > others
learned --data all.csv --query-rows others --task retrieval
# The format and the order of rows do not matter.
{ echo a,b,c,label; sed -n 1,30p rows | sort; } > sorted.csv
akin convert sorted.csv a.svm --quiet
learned --data a.svm --task retrieval
# Only rows whose labels were used count.
seq 0 9 > ten
akin train oasis-diag --data a.csv --labelled ten --sample 100 --out m --quiet --verdict none
learned --data a.csv --task retrieval
akin eval euclidean --data a.csv --task retrieval --json --quiet | grep learned_from
akin train tfidf --data a.csv --out m --quiet --verdict none
learned --data a.csv --task retrieval
