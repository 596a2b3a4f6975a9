# --real-name-ratio: a share, or auto, which is the default.
akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy > d.txt
akin name f.npy --captions c.csv --quiet --out n.csv
akin name f.npy --captions c.csv --quiet --real-name-ratio auto --out m.csv
cmp n.csv m.csv && echo same
akin name f.npy --captions c.csv --real-name-ratio 0.5 --out m.csv --json |
    grep -e '"named"' -e wanted
rm m.csv
for r in 1.5 -1 nan Auto 50% ''; do
    akin name f.npy --captions c.csv --real-name-ratio "$r" --out m.csv
    echo "exit $?"
done
akin name f.npy --captions c.csv --real-name-ratio auto --named-count 3 --out m.csv
echo "exit $?"
ls
