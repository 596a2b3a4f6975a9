# --at-least gives only names that are that sure; a person's names always are.
akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy > d.txt
below() { awk -F, -v p="$1" 'NR > 1 && $3 != "" && $5 < p' n.csv | wc -l; }
named() { awk -F, 'NR > 1 && $3 != ""' n.csv | wc -l; }
for p in 0 0.5 0.9 1; do
    akin name f.npy --captions c.csv --at-least $p --quiet --out n.csv
    echo "at least $p: $(named) named, $(below $p) below"
done
printf '17,name1\n' > said.csv
akin name f.npy --captions c.csv --confirmed said.csv --at-least 1 --quiet \
    --out n.csv
grep '^17,' n.csv
for p in 1.5 -0.1 nan x ''; do
    akin name f.npy --captions c.csv --at-least "$p" --out m.csv
    echo "exit $?"
done
akin name f.npy --captions c.csv --at-least 0.9 --curve --out m.csv
echo "exit $?"
ls
