akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin name f.npy --captions c.csv --method mean --curve --out n.csv >/dev/null
head -2 n.csv
akin eval n.csv --task naming --curve --captions c.csv --truth t.csv --json |
    grep -c accuracy
