# No output goes into a collection that is read.
source "$CASES/pictures.bash"
pictures p 2 3
akin images p --out c --words 50 --quiet > /dev/null
akin train solis-ada --data c --out c/catalog.sqlite; echo $?
akin index tfidf --data c/ --out ./c/new.index; echo $?
akin convert c c/bags.safetensors; echo $?
akin explain c 0 1 --out c/why.svg; echo $?
akin eval tfidf --data c --train c --task retrieval --report c/report; echo $?
ln -s c/codebook.safetensors link
akin index tfidf --data c --out link; echo $?
(cd c && akin train solis-ada --data . --out m; echo $?)
(cd c && akin convert . - | wc -l)
akin index tfidf --data c --out c.index > /dev/null; echo $?
ls c
akin check c
