source "$CASES/../data.sh"
for n in 1 2 4; do
    akin train solis-ada --data rows.svm --quiet --sample 2000 --threads $n --out $n > /dev/null
done
cmp 1 2
cmp 1 4
