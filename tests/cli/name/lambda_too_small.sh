akin synth faces --photos 20 --names 4 --dim 8 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin name f.npy --captions c.csv --method lrr --lambda 1e-6 --out n.csv >/dev/null
