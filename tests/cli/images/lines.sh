source "$CASES/pictures.bash"
pictures p 3 4
akin images p --out c --words 50 --quiet | sed 's/, [0-9.]* m\?s$//'
ls c
akin info c
akin eval tfidf --data c --task knn --train c --k 1 --json | grep error
