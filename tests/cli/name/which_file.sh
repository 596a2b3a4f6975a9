# A message says which file; a person may confirm a name that no caption has.
printf '1,0\n1,0.1\n0,1\n' >f.csv
printf '1,2\n1,2\n1,2\n' >same.csv
printf 'photo,faces,names\na,0;1,Ann;Bob\nb,2,Ann\n' >c.csv
printf '0,Eve\n' >k.csv
akin name same.csv --captions c.csv --out n.csv || true
akin name f.csv --captions c.csv --method mean --save-model p.st --out n.csv \
    >/dev/null
akin name f.csv --model p.st --confirmed k.csv --out n.csv >/dev/null
akin name f.csv --captions c.csv --method mean --confirmed k.csv --out n.csv \
    >/dev/null
grep '^0,' n.csv | cut -d, -f3
# numbers that cannot be computed with
printf '3e38,1,0\n0,2,1\n1,0,3\n2,1,1\n1,1,0\n0,1,2\n' > huge.csv
printf 'photo,faces,names\na,0;1,Ann;Bob\nb,2;3,Ann;Cid\nc,4;5,Bob;Cid\n' > few.csv
akin name huge.csv --captions few.csv --quiet --out n.csv || echo $?
