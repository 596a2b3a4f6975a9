akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy >/dev/null
printf '1,name2\n2,\n3,name5,is-not\n' > said.csv
akin name f.npy --captions c.csv --method mean --confirmed said.csv \
    --out n.csv >/dev/null
sed -n 3,4p n.csv
