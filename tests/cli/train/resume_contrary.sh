# Triplets with their sides swapped are told from others.
source "$CASES/../data.sh"
for i in $(seq 0 59); do
    for j in 3 6 9 12; do
        echo "$i $(((i + j) % 60)) $(((i + j + 1) % 60))"
    done
done > right
awk '{ print $1, $3, $2 }' right > swapped
akin train solis-ada --data rows.svm --quiet --triplets right --out a
akin train solis-ada --data rows.svm --quiet --triplets right --resume a --out b
akin train solis-ada --data rows.svm --quiet --triplets swapped --resume a --out b
