printf '1,2\n3,4\n' > f.csv
printf 'photo,faces,names\na,0;1,Ann\n' > c.csv
akin name f.csv --captions c.csv --method rlr --out n.csv
