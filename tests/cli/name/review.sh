# --review: each face at most once, the largest gain first, none that a person
# has decided; the same bytes for any number of threads.
akin synth faces --photos 60 --names 6 --dim 12 --captions c.csv --truth t.csv \
    --out f.npy > d.txt
akin name f.npy --captions c.csv --quiet --threads 1 --out n.csv --review r.csv
akin name f.npy --captions c.csv --quiet --threads 2 --out n2.csv \
    --review r2.csv
cmp n.csv n2.csv && cmp r.csv r2.csv && echo same
head -1 r.csv
tail -n +2 r.csv | cut -d, -f5 | sort -c -g -r && echo sorted
tail -n +2 r.csv | cut -d, -f1 | sort | uniq -d
first=$(sed -n 2p r.csv | cut -d, -f1)
echo "$first," > said.csv
akin name f.npy --captions c.csv --quiet --confirmed said.csv --out n2.csv \
    --review r2.csv
grep -c "^$first," r2.csv
rm n2.csv r2.csv
for file in n2.csv no/r.csv c.csv ''; do
    akin name f.npy --captions c.csv --quiet --out n2.csv --review "$file"
    echo "exit $?"
done
ls
