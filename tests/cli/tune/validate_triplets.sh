source "$CASES/../data.sh"
for i in $(seq 0 199); do echo $((i % 60)) $(((i * 7 + 3) % 60)) $(((i * 11 + 5) % 60)); done > t
akin tune solis-ada --data rows.svm --triplets t --validate t --trials 2 --quiet --out m | head -1
