printf '1,0\n0.9,0.1\n0,1\n0.5,0.5\n' > f.csv
printf 'photo,faces,names\na,0,Ann\nb,1,Ann\nc,2,Bob\nd,3,Ann;Bob\n' > c.csv
akin name f.csv --captions c.csv --method kernel --out plain.csv >/dev/null
printf '# faces that are alike\n3 2 1\n0,1,0.5\n' > a.txt
printf '0,0.5,0,0\n0.5,0,0,0\n0,0,0,1\n0,0,1,0\n' > a.csv
akin name f.csv --captions c.csv --method kernel --affinity-file a.txt \
    --affinity-weight 1 --out text.csv >/dev/null
akin name f.csv --captions c.csv --method kernel --affinity-file a.csv \
    --affinity-weight 1 --out matrix.csv >/dev/null
cmp text.csv matrix.csv
akin name f.csv --captions c.csv --method kernel --affinity-file a.csv,a.txt \
    --affinity-weight 0.2,0.5 --out both.csv >/dev/null
cat text.csv
