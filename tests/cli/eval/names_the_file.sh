printf '1:1\n1:2\n' > none.svm
printf 'a 1:1\nb 1:2\n' > a.svm
: > none.txt
echo 0 1 1 > one.txt
akin eval cosine --data none.svm --task retrieval
akin eval cosine --data a.svm --task retrieval
akin eval cosine --data none.svm --task knn --train a.svm
akin eval cosine --data a.svm --task knn --train none.svm
akin eval cosine --data a.svm --task triplets --triplets none.txt
akin eval cosine --data a.svm --task verify --pairs one.txt
