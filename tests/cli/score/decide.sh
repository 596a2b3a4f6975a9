# A threshold is found on known pairs, kept in the model, and used.
printf '1,0,a\n0.9,0.1,a\n0,1,b\n0.1,0.9,b\n0.6,0.5,a\n0.5,0.6,b\n' > rows.csv
printf '0 1 1\n2 3 1\n0 4 1\n2 5 1\n0 2 -1\n1 3 -1\n4 5 -1\n0 5 -1\n' > pairs.txt
akin train lmnn --data rows.csv --label-column 2 --quiet --out m >/dev/null
score() { akin score m --data rows.csv --label-column 2 --pairs pairs.txt "$@"; }
verify() {
    akin eval m --data rows.csv --label-column 2 --task verify \
        --pairs pairs.txt --quiet "$@" | sed 's/ in .*//'
}
score --decide || echo $?
cp m before
verify --save-threshold
score --decide
verify --json | grep -A5 '"stored"'
score --decide --json | tail -3
akin info m | grep -E 'threshold|rate'
score --decide --threshold -1e9 | awk '{ print $4 }' | uniq -c
for t in x nan '' 1e999; do score --decide --threshold "$t" || echo $?; done
score --threshold 1 || echo $?
score --decide --score cosine || echo $?
akin eval euclidean --data rows.csv --label-column 2 --task verify --quiet \
    --pairs pairs.txt --save-threshold || echo $?
akin eval m --data rows.csv --label-column 2 --task knn --train rows.csv \
    --save-threshold || echo $?
cp m kept
chmod a-w . m
akin eval m --data rows.csv --label-column 2 --task verify --quiet \
    --pairs missing.txt --save-threshold || echo $?
chmod u+w . m
cmp m kept && echo unchanged
