printf "1\n2\n8\n9\n" > t.csv
printf "low\nlow\nhigh\nhigh\n" > l
printf "3\n7\n" > q.csv
printf "low\nlow\n" > m
akin eval euclidean --task knn --data q.csv --labels m --train t.csv --train-labels l --json | grep error
akin eval euclidean --task retrieval --data t.csv --labels l --queries q.csv --query-labels m --json | grep map
