# A flag that the paper's run does not look at is refused.
mkdir tables
akin reproduce loreta --codebook x
akin reproduce loreta --splits b.json
akin reproduce loreta --test tables
printf 'a,label\n1,x\n' > tables/t.csv
akin reproduce s3ml --data tables --codebook x
