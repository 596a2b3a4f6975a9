# Of 44 rows on a line four are of another label. Rows are centred, so that
# without an offset the boundary stands at their mean, within the larger class.
awk 'BEGIN { print "x,label"; for (i = 0; i < 40; ++i) print i / 20 - 1 ",common"
             for (i = 0; i < 4; ++i) print 3 + i / 10 ",rare" }' > line.csv
for bias in 1 0; do
    akin train svm-t --data line.csv --bias $bias --verdict none --quiet --out m
    akin predict m --data line.csv --quiet | awk '{ print $2 }' | sort | uniq -c
done
