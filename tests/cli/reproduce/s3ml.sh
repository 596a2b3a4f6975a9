# Every table of a folder, three scales; the rows that are known may be given.
source "$CASES/../points.sh"
mkdir tables
mv points.csv tables/points.csv
akin reproduce s3ml --data tables --repeats 2 --quiet | awk 'NF' |
    sed -n '/1-NN error/,/numbers of M/p' | cut -d ' ' -f 1 |
    grep -E 'points|euclidean|s3ml|s2ml'
{ echo set,repeat,row; sed 's/.*/points,0,&/' known; } > splits.csv
akin reproduce --data tables --splits splits.csv --quiet --json |
    grep -c '"method": "s3ml"'
echo set,repeat,row > none.csv
akin reproduce s3ml --data tables --splits none.csv --quiet
printf "set,repeat,row\npoints,0,99\n" > far.csv
akin reproduce s3ml --data tables --splits far.csv --quiet
mkdir empty
akin reproduce s3ml --data empty
akin reproduce s3ml
