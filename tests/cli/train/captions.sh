akin synth faces --photos 40 --names 4 --dim 8 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
akin train mms --data f.npy --captions c.csv --out m.safetensors --quiet >/dev/null
akin name f.npy --model m.safetensors --captions c.csv --out n.csv --quiet \
    >/dev/null && head -1 n.csv
akin train asml --data f.npy --captions c.csv --out a.safetensors --quiet >/dev/null
akin info a.safetensors | head -2
akin train mms --data f.npy --out m.safetensors
