# Columns are scaled where their ranges are of different order, unless the paper
# or a flag says otherwise.
awk 'BEGIN { print "a,b,label"; for (i = 0; i < 24; ++i) print i % 5 "," i % 7 "," i % 2 }' > same.csv
awk 'BEGIN { print "a,b,label"; for (i = 0; i < 24; ++i) print i % 5 "," 90 * (i % 7) "," i % 2 }' > mixed.csv
recipe() {
    akin train rsl --label-column label "$@" --verdict none --quiet --out m 2> /dev/null
    akin info m | grep '^recipe'
}
recipe --data same.csv
recipe --data mixed.csv
recipe --data mixed.csv --scale none
recipe --data mixed.csv --as-published
