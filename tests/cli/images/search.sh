source "$CASES/pictures.bash"
pictures p 3 4
akin images p --out c --words 40 --quiet > /dev/null
akin search c --image p/k1/0.png --top 4 | cut -d' ' -f 1-3,5
akin search c --like 0,k0/1.png --unlike 8 --top 2 | cut -d' ' -f 1-3,5
akin search c --like 4 --top 1 --json | grep name
# Several queries; examples by row, name and file, also with a comma in it.
akin search c --image p/k2/1.png --image p/k0/2.png --top 1 | cut -d' ' -f 1-3,5
akin search c --image p/k2/1.png --top 1 --json | grep image
mkdir q
cp p/k1/1.png q/outside,1.png
akin search c --like 4 --like q/outside,1.png --top 2 | cut -d' ' -f 1-3,5
akin search c --like k2/0.png,q/outside,1.png
akin search c --like k1/0.png,p/k1/2.png,q/missing.png
akin search c --like k1/0.png --unlike q/outside,1.png --top 1 | cut -d' ' -f 1-3
akin search q --like 1
akin train solis-ada --data c --sample 2000 --quiet --out m > /dev/null
akin search c --like 4 --top 3 --model m > a
akin images c --model m
akin search c --like 4 --top 3 | cmp a -
akin images c --model tfidf
akin search c --like 4 --top 3 > a
akin search c --like 4 --top 3 --model tfidf | cmp a -
akin images c --model auto
akin images p --out d --words 30 --quiet > /dev/null
akin images d --model m
akin search c --like k7/0.png
akin search c --like 99
akin search c
akin search c --image p/k1/9.png
akin search m --image p/k1/0.png
