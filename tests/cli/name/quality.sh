# --quality has one number above 0 to 1 for each face.
akin synth faces --photos 40 --names 5 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy > d.txt
give() {
    akin name f.npy --captions c.csv --quality "$1" --quiet --out n.csv
    echo "exit $?"
}
akin name f.npy --captions c.csv --quiet --out plain.csv
rows=$(($(wc -l < plain.csv) - 1))
yes 1 | head -n $rows > q.csv
give q.csv
cmp n.csv plain.csv && echo same
yes 0.5 | head -n 10 > q.csv
give q.csv
(yes 1 | head -n $((rows - 1)); echo 1.5) > q.csv
give q.csv
give none.csv
