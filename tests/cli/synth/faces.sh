akin synth faces --photos 40 --faces 90 --names 6 --dim 8 --real-name-ratio 0.5 \
    --missing 0.1 --captions c.csv --truth t.csv --out f.npy
akin synth faces --photos 40 --faces 90 --names 6 --dim 8 --real-name-ratio 0.5 \
    --missing 0.1 --captions c.jsonl --truth t2.csv --out f2.npy --json
head -2 c.csv c.jsonl
cmp t.csv t2.csv
for form in csv jsonl; do
    akin name f.npy --captions c.$form --truth t.csv --method mean \
        --real-name-ratio 0.5 --out $form.csv | tail -1
done
cmp csv.csv jsonl.csv
