printf '1,2\n3,4\n' > f.csv
printf 'photo,faces,names\na,0,Ann\nb,0;1,Bob\n' > c.csv
akin name f.csv --captions c.csv --out n.csv
