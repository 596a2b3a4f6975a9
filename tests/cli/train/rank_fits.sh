# A rank that was not given is never more than the rows have room for.
printf 'a,b,c,label\n1,0,0,x\n2,1,0,x\n0,1,3,y\n0,2,2,y\n0,0,1,x\n' > d.csv
for learner in loreta-1 loreta-psd loreta loreta-mi gd psd-gd pa; do
    akin train $learner --data d.csv --label-column label --sample 20 --quiet \
        --json --out m.safetensors | grep '"rank"'
done
akin info m.safetensors | grep option.rank
akin train pa --task rank --data d.csv --label-column label --quiet --json \
    --out r.safetensors | grep '"rank"'
akin train pa --resume m.safetensors --data d.csv --label-column label \
    --sample 5 --quiet --json --out m.safetensors | grep '"rank"'
akin train loreta-1 --rank 4 --data d.csv --label-column label --out m.safetensors
