# query.py makes what the engine takes of a raw row.
printf '1,2\n3,4\n5,7\n' >points.csv
akin index euclidean --data points.csv --label-column none --out p.index --quiet
akin export p.index --to faiss --out x --quiet
/usr/bin/env python3 x/query.py 0:1.5 1:2
printf 'a 1:2 3:1\nb 2:1\n' >rows.svm
akin index cosine --data rows.svm --out s.index --quiet
akin export s.index --to opensearch --out y --quiet
/usr/bin/env python3 y/query.py --top 3 0:3 2:4
cat y/items.ndjson y/index.json y/switch.json
