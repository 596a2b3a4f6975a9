. "$CASES/folder.bash"
for landmark in 0 tower; do
    k=${landmark/tower/1}
    awk -F , -v k=$k -v l=$landmark 'NR > 1 && $3 == k && $4 != "junk" && ++n > 2 && n < 8 {
        print 0, l, $1, "positive"; print 1, l, $1, "positive" }' small/groundtruth.csv
done > splits.txt
cut -d ' ' -f 1 small/bow_small.svm | awk '$1 == "3" {
    for (s = 0; s < 2; ++s) for (l = 0; l < 2; ++l) print s, l, NR - 1, "negative" }' >> splits.txt
akin reproduce --data small --quick --quiet --splits splits.txt | sed -n '3,6p'
akin reproduce --data small --quick --quiet --splits splits.txt --json | grep -c '"splits": 2'
