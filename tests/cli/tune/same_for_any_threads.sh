source "$CASES/../data.sh"
for n in 1 2; do
    akin tune solis-ada --data rows.svm --sample 500 --trials 4 --threads $n --quiet --out $n > /dev/null
done
cmp 1 2
