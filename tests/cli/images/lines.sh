source "$CASES/pictures.bash"
pictures p 3 4
akin images p --out c --words 50 | sed 's/, [0-9.]* m\?s$//'
ls c
akin info c
akin eval tfidf --data c --task knn --train c --k 1 --json | grep error
akin check c
akin info c --json | grep -v '"file"'
printf x | dd of=c/segments/1.safetensors bs=1 seek=3000 conv=notrunc 2> /dev/null
akin check c
