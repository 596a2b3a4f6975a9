# --min-count leaves out rare names, and photos then without a name.
printf '1,0\n1,0.1\n0,1\n0.1,1\n0.5,0.5\n' > f.csv
printf 'photo,faces,names\na,0,Ann;Eve\nb,1,ANN\nc,2,Bob\nd,3,Bob\ne,4,Zoë\n' \
    > c.csv
for n in 1 2; do
    akin name f.csv --captions c.csv --real-name-ratio 1 --min-count $n \
        --quiet --out n.csv
    cut -d, -f1-3 n.csv
done
akin name f.csv --captions c.csv --min-count 2 --json --out n.csv 2> e.txt |
    grep dropped_photos
cat e.txt
rm n.csv
for n in 0 -1 1.5 x; do
    akin name f.csv --captions c.csv --min-count $n --out n.csv
    echo "exit $?"
done
akin name f.csv --captions c.csv --min-count 3 --out n.csv
echo "exit $?"
ls
