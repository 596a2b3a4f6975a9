printf "1,0\n0,1\n" > f.csv
printf "photo,faces,names\na,0,Ann\nb,1,Ann\n" > c.csv
printf "0 1 1\n" > a.txt
akin name f.csv --captions c.csv --method mms --affinity-file a.txt --out n.csv
