# Parameters as one would write them.
printf 'a 1:1 2:1\na 1:1 3:1\nb 2:1 4:1\nb 3:1 4:2\n' > d.svm
for eta in 10 0.3 2500 1e-7; do
    akin train loreta-1 --rank 2 --data d.svm --sample 9 --eta $eta --out m \
        --quiet > log
    akin info m | grep option.eta
done
