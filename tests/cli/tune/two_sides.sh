source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
try() {
    akin tune "$@" --data rows.svm --right other.svm --trials 2 --quiet --out m > out || return
    head -1 out | cut -d' ' -f1-9 | tr -s ' '
    awk '$1 == "0" && $2 > 0.3 && $2 <= 1 { print "judged" }' out
}
# left rows kept back find right rows; a ranker ranks right rows
try cca --rank 2
try rsl --rank 2 --pairs all --measure accuracy
try hfa --lambda 1
# the right rows need labels too
sed 's/^[^ ]* //' other.svm > bare.svm
for l in cca hfa; do
    akin tune $l --data rows.svm --right bare.svm --trials 2 --quiet --out m || echo $?
done
