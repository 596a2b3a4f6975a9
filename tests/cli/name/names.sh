akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin name f.npy --captions c.csv --truth t.csv --method lrr \
    --real-name-ratio 0.5 --out n.csv
head -4 n.csv
akin eval n.csv --task naming --captions c.csv --truth t.csv
