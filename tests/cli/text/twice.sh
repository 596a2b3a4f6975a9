# No recipe is applied twice: rows say which one they went through.
source "$CASES/news.bash"
akin text news --features 4 --weights tfidf --norm l2 \
    --save-recipe words.safetensors --out train.svm --quiet
akin text news --out counts.svm --quiet
akin info words.safetensors | grep '^fingerprint'
akin info train.svm | grep '^recipe'
refused() {
    akin "$@" --quiet || echo $?
}
refused text train.svm --recipe words.safetensors --out x.svm
refused text train.svm --weights binary --out x.svm
refused train solis-ada --data train.svm --weights tfidf --out x
refused eval tfidf --data train.svm --task retrieval
akin text counts.svm --recipe words.safetensors --out again.svm --quiet
cmp train.svm again.svm
# A model with the recipe takes raw rows, or with --as-is those after it.
akin train solis-ada --data counts.svm --recipe words.safetensors --sample 100 \
    --out m --quiet > /dev/null
refused score m --data train.svm --pairs <(echo 0 1)
akin score m --data train.svm --pairs <(echo 0 1) --as-is | wc -l
# A learner's own recipe leaves weights out where rows have them.
akin train solis-ada --data train.svm --sample 100 --out m2 --quiet > /dev/null
akin info m2 | grep '^recipe'
akin score m2 --data again.svm --pairs <(echo 0 1) | wc -l
akin text news --features 4 --weights sqrt --out other.svm --quiet
akin score m2 --data other.svm --pairs <(echo 0 1) | wc -l
akin text news --features 4 --out few.svm --quiet
sed 's/ #.*//' few.svm > raw.svm
akin score m2 --data raw.svm --pairs <(echo 0 1) | wc -l
# Parts and copies keep it.
akin split train.svm --out a.svm b.svm --quiet
akin convert a.svm a.safetensors --quiet
akin convert a.safetensors - --quiet | head -1
ls x.svm x
