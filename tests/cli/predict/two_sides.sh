# the rows that vote are of the right side
source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
akin train cca --data rows.svm --right other.svm --rank 2 --quiet --out m >/dev/null
akin predict m --data rows.svm --train other.svm --k 5 --quiet | head -3
akin eval m --data rows.svm --task knn --train other.svm --k 5 --json --quiet | grep -c '"error"'
