# Rows of either side get the labels of the nearest rows of the other.
source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
for prototypes in 0 1; do
    akin train rsl --data rows.svm --right other.svm --prototypes $prototypes \
        --quiet --out m >/dev/null
    akin predict m --data rows.svm --train other.svm --quiet |
        paste - <(cut -d' ' -f1 rows.svm) | awk '$2 == $4' | wc -l
    akin predict m --data other.svm --train rows.svm --side right --quiet |
        paste - <(cut -d' ' -f1 other.svm) | awk '$2 == $4' | wc -l
done
akin predict m --data other.svm --train rows.svm --quiet || echo $?
akin predict m --data other.svm --train rows.svm --side up --quiet || echo $?
akin train perceptron --data rows.svm --quiet --out ranker >/dev/null
akin predict ranker --data rows.svm --side right || echo $?
