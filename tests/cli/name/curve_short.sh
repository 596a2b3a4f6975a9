# Captions have names for half of the faces: the ratios beyond are told once.
printf '1,0\n1,0.1\n0,1\n0.1,1\n' >f.csv
printf 'photo,faces,names\na,0;1,Ann\nb,2;3,Bob\n' >c.csv
printf '0,Ann\n1,\n2,Bob\n3,\n' >t.csv
akin name f.csv --captions c.csv --method mean --curve --out n.csv >/dev/null
akin eval f.csv --task naming --captions c.csv --truth t.csv --method mean \
    --curve >/dev/null
