source "$CASES/news.bash"
akin text news --features 4 --weights tfidf --norm l2 \
    --save-recipe words.safetensors --out train.svm
cat train.svm
akin text news --recipe words.safetensors --out again.svm --quiet
cmp train.svm again.svm
mkdir -p new/space new/kitchen
echo "Rocket, rocket, roses and salt" > new/kitchen/1
echo "orbit" > new/space/1
akin text new --recipe words.safetensors --out new.svm
cat new.svm
akin info words.safetensors
akin check words.safetensors
