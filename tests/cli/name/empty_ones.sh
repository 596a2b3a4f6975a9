# An empty caption names nobody, and a photo may have no faces.
printf '1,2\n3,4\n5,5\n' > f.csv
printf 'photo,faces,names\na,0,\nb,,Ann\nc,1,Ann\n' > c.csv
akin name f.csv --captions c.csv --method mean --scale none --out n.csv
cat n.csv
