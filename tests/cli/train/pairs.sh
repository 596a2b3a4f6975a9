source "$CASES/../data.sh"
for i in $(seq 0 29); do echo $i $((i + 3)) 1; echo $i $((i + 1)) -1; done > p
akin train solis-ada --data rows.svm --pairs p --out m
