printf "0,0,1\n1,0,1\n0,2,1\n3,3,0\n" > a.csv
akin index euclidean --data a.csv --out i | sed 's/, [0-9.]* .*//'
akin search i --queries a.csv --top 2
akin search i --like 1,2 --unlike 3
