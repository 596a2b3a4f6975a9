akin synth faces --photos 20 --names 4 --dim 8 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin name f.npy --captions c.csv --method lrr --iterations 2 --out n.csv \
    --json | grep converged
