. $CASES/../data.sh
akin eval cosine --data rows.svm --task rank
