akin synth bags --rows 40 --dim 50 --words 20 --classes 4 --class-words 8 \
    --out rows.svm >/dev/null
printf '0 1 1\n2 3 -1\n' > pairs.txt
try() {
    akin train rsl --data rows.svm --quiet --out m.safetensors "$@"
    echo $?
}
try --sample 300 --json > sample.json
grep -E '"examples"|"converged"' sample.json
try --sample 300 --threads 2 > /dev/null
cp m.safetensors two.safetensors
try --sample 300 --threads 1 > /dev/null
cmp m.safetensors two.safetensors && echo the same bytes
try --json | grep '"examples"'
try --sample 1600 > /dev/null
cp m.safetensors all.safetensors
try --sample 99999 > /dev/null
cmp m.safetensors all.safetensors && echo the grid
try --sample 300 --pairs pairs.txt
try --sample 0
akin train rsl --data rows.svm --sample 300 --out m.safetensors 2>&1 |
    grep learning
