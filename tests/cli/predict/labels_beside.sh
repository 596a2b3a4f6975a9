printf "1\n2\n8\n9\n" > t.csv
printf "low\nlow\nhigh\nhigh\n" > l
printf "3\n7\n" > q.csv
akin predict euclidean --data q.csv --train t.csv --train-labels l
