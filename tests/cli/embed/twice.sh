# Vectors of a learned space do not go through a model again.
source "$CASES/../points.sh"
try() { akin "$@" --quiet || echo $?; }
try train lda --data points.csv --label-column label --verdict none --out m
akin embed m --data points.csv --out vectors.svm --quiet
akin info vectors.svm | grep -o embedded
try eval m --data vectors.svm --task retrieval
try embed m --data vectors.svm --out again.svm
try score m --data vectors.svm --pairs <(echo 0 1)
try split vectors.svm --fraction 0.5 --out a.svm b.svm
try eval m --data b.svm --task retrieval
echo "plain measures and further learners take them:"
akin eval euclidean --data vectors.svm --task retrieval --quiet | grep -o '^map 1.0'
akin train pca --data vectors.svm --verdict none --out next --quiet
akin eval next --data vectors.svm --task retrieval --quiet 2>&1 | grep -o '^map 1.0'
