# --out and --save-model appear together or not at all.
akin synth faces --photos 20 --names 4 --dim 8 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
echo old > n.csv
akin name f.npy --captions c.csv --method mean --save-model /dev/full \
    --out n.csv
echo "exit $?"
akin name f.npy --captions c.csv --method mean --save-model new.safetensors \
    --out /dev/full
echo "exit $?"
sed '$d' t.csv > short.csv
akin name f.npy --captions c.csv --truth short.csv --method mean \
    --save-model new.safetensors --out n.csv
echo "exit $?"
cat n.csv
ls
akin synth faces --photos 20 --captions new.csv --truth /dev/full --out new.npy
echo "exit $?"
ls | grep new
true
