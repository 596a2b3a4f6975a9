source "$CASES/../data.sh"
for i in $(seq 0 199); do echo $((i % 60)) $(((i * 7 + 3) % 60)) $(((i * 11 + 5) % 60)); done > t
head -77 t > t1
tail -n +78 t > t2
akin train solis-ada --data rows.svm --quiet --triplets t --eta 0.2 --weights tf --out a > /dev/null
akin train solis-ada --data rows.svm --quiet --triplets t1 --eta 0.2 --weights tf --out b > /dev/null
akin train solis-ada --data rows.svm --quiet --triplets - --resume b --out b > /dev/null < t2
cmp a b
