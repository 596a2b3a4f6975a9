# By the nearest documents; those without a label do not vote.
source "$CASES/docs.bash"
printf 'i,,cheese cheese cheese soup\n' >> docs.csv
akin documents docs.csv --out c --quiet > /dev/null
akin tag c --text "A motor with OIL" --k 3
akin tag c --text "cheese soup" --k 3 --json
printf 'tomato soup' > new.txt
akin tag c --document new.txt --top 1 --k 3 | cut -d' ' -f1
akin train perceptron --data c --quiet --verdict none --out m > /dev/null
akin tag c --model m --text "cheese soup" --top 1 | cut -d' ' -f1
akin tag c --text "zzz" --k 3 --json
