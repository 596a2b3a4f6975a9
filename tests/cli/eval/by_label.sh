printf 'a,y\n0,x\n1,x\n2,x\n5,y\n6,y\n' > p.csv
printf '0\n3\n' > marked
akin eval euclidean --data p.csv --label-column y --task retrieval --query-rows marked --exclude marked --by-label --json | sed 's/"seconds": [^,}]*/"seconds": 0/'
akin eval euclidean --data p.csv --train p.csv --label-column y --task knn --by-label || echo $?
