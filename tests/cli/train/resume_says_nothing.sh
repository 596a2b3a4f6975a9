# Labels that the model finds hard are learned from, and triplets drawn at random are not.
akin synth bags --rows 300 --classes 20 --dim 500 --words 40 --out all.svm --quiet
head -150 all.svm > a.svm
tail -150 all.svm > b.svm
akin train solis-ada --data a.svm --out a.st --quiet >/dev/null
akin train solis-ada --resume a.st --data b.svm --out b.st --quiet >/dev/null && echo labels
akin train loreta-1 --data a.svm --out a.st --quiet >/dev/null
awk 'BEGIN { x = 7; for (i = 0; i < 3000; ++i) {
    x = (x * 16807) % 2147483647; printf "%d%s", x % 150, i % 3 == 2 ? "\n" : " " } }' |
    awk '$1 != $2 && $1 != $3 && $2 != $3' > random.txt
akin train loreta-1 --resume a.st --data a.svm --triplets random.txt --out c.st --json --quiet |
    grep '"kept"'
