# Shares are looked at before anything is learned.
printf '1,0\n1,0.1\n0,1\n' > f.csv
printf 'photo,faces,names\na,0,Ann\nb,1;2,Ann;Bob\n' > c.csv
printf '0 1 0.5\n' > a.txt
for weight in 2 -0.5 nan x 0.1, 0.1,0.2 0.1x; do
    akin name f.csv --captions c.csv --affinity-file a.txt \
        --affinity-weight $weight --out n.csv
    echo "exit $?"
done
akin name f.csv --captions c.csv --affinity-file a.txt,a.txt,a.txt \
    --affinity-weight 0.1,0.2 --out n.csv >/dev/null
echo "exit $?"
