# Named again by what was kept, as if learned again.
akin synth faces --photos 90 --names 4 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
echo "3,name1,is-not" >said.csv
for method in lrr fused; do
    akin name f.npy --captions c.csv --method $method --real-name-ratio 0.6 \
        --save-model m.safetensors --out n.csv --quiet >/dev/null
    akin name f.npy --captions c.csv --model m.safetensors --out m.csv |
        sed 's/, [0-9.]* m\?s,/,/'
    cmp n.csv m.csv
    akin name f.npy --captions c.csv --method $method --real-name-ratio 0.6 \
        --confirmed said.csv --out n.csv --quiet >/dev/null
    akin name f.npy --captions c.csv --model m.safetensors --confirmed said.csv \
        --out m.csv --json --quiet | grep same_faces
    cmp n.csv m.csv
done
akin name f.npy --model m.safetensors --out any.csv --json --quiet | grep same_faces
