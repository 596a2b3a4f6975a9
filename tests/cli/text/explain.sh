# A model keeps the recipe it is trained with, terms included.
source "$CASES/news.bash"
akin text news --features 5 --weights tfidf --norm l2 \
    --save-recipe words.safetensors --out train.svm --quiet
akin text news --out counts.svm --quiet
akin train solis-ada --data counts.svm --recipe words.safetensors \
    --sample 200 --lambda 0 --out m.safetensors --quiet > /dev/null
akin info m.safetensors | grep '^recipe\|^dim'
akin explain m.safetensors --data counts.svm --rows 0,1 | sed 's/ .*//'
akin explain m.safetensors --data counts.svm --rows 2,3 --json | grep -A1 '"feature'
akin explain m.safetensors --data train.svm --as-is --rows 2,3 | sed 's/ .*//'
akin score m.safetensors --data counts.svm --pairs <(echo 0 1) > raw
akin score m.safetensors --data train.svm --as-is --pairs <(echo 0 1) > ready
cut -c -6 raw > a
cut -c -6 ready | cmp a
echo "a 14:1" > wide.svm
akin explain m.safetensors --data wide.svm --rows 0,0 || echo $?
akin embed m.safetensors --data counts.svm --out e.npy --quiet
akin eval m.safetensors --data counts.svm --task retrieval --quiet | head -1
# names also travel with rows, in the formats that hold them
akin text news --features 5 --weights tfidf --norm l2 --out train.safetensors --quiet
akin train solis-ada --data train.safetensors --sample 200 --lambda 0 \
    --out m2.safetensors --quiet > /dev/null
akin explain m2.safetensors --data train.svm --rows 2,3 | sed 's/ .*//'
