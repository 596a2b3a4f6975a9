printf "0,0,1\n1,0,1\n0,2,1\n3,3,0\n" > a.csv
akin index euclidean --data a.csv --prune --out i
