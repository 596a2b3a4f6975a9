# A model that knows labels ranks them for rows of either of its sides.
source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
akin train logistic --data rows.svm --right other.svm --quiet --out m >/dev/null
akin predict m --data rows.svm --quiet |
    paste - <(cut -d' ' -f1 rows.svm) | awk '$2 == $4' | wc -l
akin predict m --data other.svm --side right --quiet |
    paste - <(cut -d' ' -f1 other.svm) | awk '$2 == $4' | wc -l
akin predict m --data other.svm --side right --k 3 || echo $?
