# No face is of a name where none is wanted.
akin synth faces --photos 40 --faces 90 --names 6 --dim 8 --real-name-ratio 0 \
    --captions c.csv --truth t.csv --out f.npy >/dev/null
grep -c name[0-9] t.csv || true
akin name f.npy --captions c.csv --truth t.csv --method mean --named-count 0 \
    --out n.csv | tail -1
