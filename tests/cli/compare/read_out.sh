# compare, train and train auto choose the read-out alike: here the column with
# the largest numbers says nothing, and the angle most.
awk -v OFS=, 'BEGIN { print "a,b,c,label"
    for (i = 0; i < 90; ++i) {
        t = 0.3 + 0.35 * (i % 3) + 0.02 * (i * 7 % 11 - 5)
        print 10 * cos(t), 10 * sin(t), 20 + i * 13 % 20, i % 3
    } }' > rows.csv
akin train oasis-diag --data rows.csv --quiet --out m >/dev/null
akin info m | grep -o 'cosine\|dot'
akin compare oasis-diag cosine --data rows.csv --quiet --json | python3 -c "
import json, sys
for row in json.load(sys.stdin)['rows']:
    print(row['method'], row['read_out'], row['score'] > 0.9)"
for score in auto dot; do
    akin tune oasis-diag --data rows.csv --trials 1 --norm l2 --score $score --quiet \
        --out m >/dev/null 2>&1
    akin info m | grep -o 'cosine\|dot'
done
