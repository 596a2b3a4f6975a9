source "$CASES/../data.sh"
for n in 1 2; do akin eval cosine --data rows.svm --task retrieval --threads $n --json | grep -v seconds > $n; done
cmp 1 2
