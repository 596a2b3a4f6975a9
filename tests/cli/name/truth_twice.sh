printf '1,2\n3,4\n' > f.csv
printf 'photo,faces,names\na,0;1,Ann\n' > c.csv
printf '0,Ann\n1,\n0,\n' > t.csv
akin name f.csv --captions c.csv --truth t.csv --method mean --scale none --out n.csv
