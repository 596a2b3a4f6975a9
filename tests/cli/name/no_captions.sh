printf '1,2\n3,4\n' > f.csv
akin name f.csv --out n.csv
