source "$CASES/../data.sh"
for i in $(seq 0 199); do echo $((i % 60)) $(((i * 7 + 3) % 60)) $(((i * 11 + 5) % 60)); done > t
akin train solis-ada --score dot --data rows.svm --quiet --triplets t --out a > /dev/null
akin train solis-ada --score dot --data rows.svm --quiet --triplets - --out b > /dev/null < t
cmp a b
