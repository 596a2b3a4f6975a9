# A model with rows, and JSON.
printf 'a,b,label\n1,2,x\n3,4,y\n5,7,x\n2,2,y\n' >points.csv
akin train lda --data points.csv --verdict none --out m --quiet
akin export m --data points.csv --to pgvector --version 3 --name shop --out x \
    --json
grep -c 'shop_v3' x/schema.sql
cat x/switch.sql
