# rsl from pairs decides by the sign of what it learned, whatever it is scored
# by; a distance has no sign, and class means have none.
printf '1,0,2\n0,1,1\n2,1,0\n1,1,1\n' > left.csv
printf '1,2\n0,1\n2,0\n1,1\n3,1\n' > right.csv
printf '0 0 1\n1 1 -1\n2 2 1\n3 4 -1\n' > pairs.txt
akin train rsl --data left.csv --right right.csv --pairs pairs.txt --rank 2 \
    --quiet --out m >/dev/null
for by in cosine dot; do
    akin score m --data left.csv --right right.csv --pairs pairs.txt \
        --score $by --decide | awk '{ print $1, $2, $4, $3 < 0 }'
done
akin score m --data left.csv --right right.csv --pairs pairs.txt \
    --score distance --decide || echo $?
