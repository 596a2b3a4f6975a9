# A count that cannot be reached: the nearest, said in one remark.
printf '1,0\n1,0.1\n0,1\n' > f.csv
printf 'photo,faces,names\na,0;1,Ann\nb,2,Bob\n' > c.csv
akin name f.csv --captions c.csv --method mean --named-count 3 --out n.csv \
    --json | grep -e named -e wanted
printf '0,1\n0,1\n0,1\n' > f.csv
printf 'photo,faces,names\na,0,Ann\nb,1,Ann\nc,2,Ann\n' > c.csv
akin name f.csv --captions c.csv --method mean --scale none \
    --real-name-ratio 0.5 --out n.csv --json --quiet | grep -e named -e wanted
akin name f.csv --captions c.csv --method mean --scale none --named-count 1 \
    --out n.csv --json | grep -e named -e wanted
printf '0,Ann\n1,Ann\n' > said.csv
akin name f.csv --captions c.csv --method mean --scale none --named-count 1 \
    --confirmed said.csv --out n.csv --json | grep -e named -e wanted
