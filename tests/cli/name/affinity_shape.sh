printf "1,0\n0,1\n" > f.csv
printf "photo,faces,names\na,0,Ann\nb,1,Ann\n" > c.csv
printf "1,0,0\n1,0,0\n" > a.csv
akin name f.csv --captions c.csv --method kernel --affinity-file a.csv --out n.csv
