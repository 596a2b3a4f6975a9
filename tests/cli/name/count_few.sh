# fused settles ties of its own, as of names that no other face has: a small
# count is reached.
akin synth faces --photos 40 --names 5 --most-faces 1 --missing 0.2 --seed 9 \
    --captions c.csv --truth t.csv --out f.npy >/dev/null
for k in 1 2 5 24; do
    akin name f.npy --captions c.csv --named-count $k --out n.csv --json |
        grep named
done
