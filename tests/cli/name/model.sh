akin synth faces --photos 90 --names 4 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin name f.npy --captions c.csv --truth t.csv --method mms \
    --real-name-ratio 0.6 --save-model m.safetensors --out n.csv
akin name f.npy --model m.safetensors --captions c.csv --out again.csv
cmp <(cut -d, -f1-4 n.csv) <(cut -d, -f1-4 again.csv)
akin name f.npy --model m.safetensors --out anyone.csv
head -3 anyone.csv
akin predict m.safetensors --data f.npy --top 1 | head -1
