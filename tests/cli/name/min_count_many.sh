# Of many photos that --min-count leaves out, the first are listed.
echo photo,faces,names > c.csv
for i in $(seq 0 27); do
    echo "$((i % 3 + 1)),0.$i"
    if [ $i -lt 4 ]; then echo "p$i,$i,Ann"; else echo "p$i,$i,N$i"; fi >> c.csv
done > f.csv
akin name f.csv --captions c.csv --real-name-ratio 1 --min-count 2 --out n.csv 2>&1 |
    grep 'left out\|more' | sed -n '1p;20,$p'
