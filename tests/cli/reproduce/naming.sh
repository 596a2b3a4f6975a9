# A small set, laid out as lfw_naming: rows, and the order of methods.
mkdir set
akin synth faces --photos 60 --names 5 --dim 12 --captions c.csv --truth t.csv \
    --out set/features200.npy >/dev/null
awk -F, 'BEGIN { print "image,caption_names" }
    NR > 1 { gsub("name", "", $3); gsub(";", " ", $3); print NR - 2 "," $3 }' \
    c.csv >set/images.csv
awk -F, 'BEGIN { print "face,image,true_name" }
    NR == FNR { n = split($2, f, ";"); for (k in f) photo[f[k]] = FNR - 2; next }
    FNR > 1 { sub("name", "", $2); print $1 "," photo[$1] "," ($2 == "" ? -1 : $2) }' \
    c.csv t.csv >set/faces.csv
akin reproduce naming --data set --quick --quiet >table
grep -o "^Table I: [0-9]* photos, [0-9]* faces, [0-9]* names" table
grep -o "theirs, on Labeled Yahoo! News, [^;]*" table
grep "^--quick" table
akin reproduce naming --data set --quick --quiet --json >rows
for key in accuracy se precision real_name_ratio seconds paper_value turned; do
    grep -q "\"$key\"" rows || echo "no $key"
done
