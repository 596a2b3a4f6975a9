printf 'a 1:1\nb 2:1\n' > a.svm
printf 'a 1:1 9:1\nb 2:1\n' > b.svm
for measure in euclidean cosine tfidf mahalanobis; do
    akin eval $measure --data a.svm --train b.svm --task knn
done
akin predict cosine --data a.svm --train b.svm
