printf "x,kind\n1,low\n8,high\n" > t.csv
printf "x\n3\n7\n" > q.csv
akin predict euclidean --data q.csv --train t.csv --label-column kind
