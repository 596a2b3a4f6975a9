# One number of an item is another: exit 1.
printf '1,2\n3,4\n5,7\n' >points.csv
akin index euclidean --data points.csv --label-column none --out p.index --quiet
akin export p.index --to csv --out x --quiet
sed -i 's/\[3,4\]/[3,40]/' x/items.csv
akin verify-export x --against p.index --queries points.csv --label-column none
