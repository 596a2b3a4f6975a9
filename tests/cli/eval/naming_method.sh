# Faces are named by a method, at one ratio and at many.
akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin eval f.npy --task naming --captions c.csv --truth t.csv --method mean \
    --real-name-ratio 0.5
akin name f.npy --captions c.csv --method mean --curve --out n.csv >/dev/null
akin eval n.csv --task naming --captions c.csv --truth t.csv --curve >a
akin eval f.npy --task naming --captions c.csv --truth t.csv --method mean --curve >b
cmp a b
wc -l <b
