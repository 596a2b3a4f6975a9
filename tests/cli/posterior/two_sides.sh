# Rows of two kinds, with a W and b each, are compared by the labels of both.
source "$CASES/../data.sh"
akin synth bags --rows 45 --dim 120 --words 30 --classes 3 --class-words 20 --seed 2 \
    --out other.svm >/dev/null
akin train logistic --data rows.svm --right other.svm --quiet --out m
akin info m | grep -E "^(kind|dim|labels|parameters|right)"
akin check m
akin predict m --data rows.svm --top 1 | cut -d' ' -f2 | paste -d' ' - <(cut -d' ' -f1 rows.svm) |
    awk '$1 == $2' | wc -l
akin eval m --data rows.svm --right other.svm --task retrieval --quiet 2>/dev/null | cut -d, -f1 | head -1
akin predict m --data rows.svm --train other.svm --quiet | cut -d' ' -f2 |
    paste -d' ' - <(cut -d' ' -f1 rows.svm) | awk '$1 == $2' | wc -l
akin embed m --data other.svm --side right --out e.npy
# A label that one side alone has is not learned; with one in common there is nothing to learn.
sed 's/^2 /9 /' other.svm > else.svm
akin train logistic --data rows.svm --right else.svm --quiet --out m
akin info m | grep ^labels
sed 's/^[12] /9 /' other.svm > else.svm
akin train logistic --data rows.svm --right else.svm --quiet --out m || echo $?
