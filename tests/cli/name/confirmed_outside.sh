# A name that a person gave, though the caption has it not, is kept, and right
# where the truth says the same.
printf '1,0\n1,0.1\n0,1\n0.1,1\n' > f.csv
printf 'photo,faces,names\na,0,Ann\nb,1,Ann\nc,2,Bob\nd,3,Bob\n' > c.csv
printf '0,Ann\n1,Bob\n2,Bob\n3,Bob\n' > t.csv
akin name f.csv --captions c.csv --truth t.csv --method mean --real-name-ratio 1 --out n.csv --json |
    grep -e accuracy -e precision
printf '1,Bob\n' > said.csv
akin name f.csv --captions c.csv --truth t.csv --method mean \
    --confirmed said.csv --out n.csv --json | grep -e accuracy -e precision
cat n.csv
akin eval n.csv --task naming --captions c.csv --truth t.csv
printf '1,\n' > said.csv
akin name f.csv --captions c.csv --truth t.csv --method mean \
    --confirmed said.csv --out n.csv --json | grep -e accuracy -e precision
