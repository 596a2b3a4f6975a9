# With the truth a curve is measured at every ratio, as akin eval does.
akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin name f.npy --captions c.csv --truth t.csv --method mean --curve \
    --out n.csv --json --quiet | sed -n '/"curve"/,/]/p' > name.txt
akin eval n.csv --task naming --curve --captions c.csv --truth t.csv --json |
    sed -n '/"curve"/,/]/p' > eval.txt
cmp name.txt eval.txt && grep -c accuracy name.txt
akin name f.npy --captions c.csv --truth t.csv --method mean --curve \
    --out n.csv --quiet | sed -n '1,2p;$p'
