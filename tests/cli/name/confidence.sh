# No other choice is inf, not a number that stands for it.
printf '1,0\n0.9,0.1\n0,1\n0.4,0.5\n' > f.csv
printf 'photo,faces,names\na,0,A;B\nb,1,A\nc,2,B\nd,3,A;B\n' > c.csv
printf '2,B\n' > said.csv
akin name f.csv --captions c.csv --method cgmm --theta 1000 \
    --confirmed said.csv --out n.csv >/dev/null
cut -d, -f3 n.csv
cut -d, -f4 n.csv | grep -c e+
# Where all are named, none is a choice where another takes the name.
printf 'photo,faces,names\na,0;1,A\nb,2;3,B;C\n' > c.csv
akin name f.csv --captions c.csv --method mean --scale none --out n.csv \
    >/dev/null
cat n.csv
