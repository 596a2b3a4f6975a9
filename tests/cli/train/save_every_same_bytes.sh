# What is learned does not depend on when it is written: from a file, drawn from
# labels, with states that are averaged, and when labels are ranked.
source "$CASES/../data.sh"
for i in $(seq 0 199); do echo $((i % 60)) $(((i * 7 + 3) % 60)) $(((i * 11 + 5) % 60)); done > t
for how in "solis-ada --triplets t" "oasis --sample 500" "perceptron --sample 500" \
    "loreta-psd --rank 3 --average tail --sample 500" "loreta-psd --rank 3 --sampler warp --sample 500"; do
    akin train $how --data rows.svm --quiet --out a > /dev/null
    akin train $how --data rows.svm --quiet --save-every 37 --out b > /dev/null
    akin train $how --data rows.svm --quiet --save-every 0.001s --out c > /dev/null
    cmp a b && cmp a c && echo "$how"
done
