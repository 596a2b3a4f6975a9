# Words of a user's own descriptors, a collection of them, and a new item.
/usr/bin/python3 - <<'END'
import os, random, struct
draw = random.Random(1)
centres = [[draw.gauss(0, 3) for _ in range(7)] for _ in range(20)]

def fvecs(path, words):
    with open(path, 'wb') as f:
        for w in words:
            f.write(struct.pack('<i7f', 7, *(x + draw.gauss(0, 0.05) for x in centres[w])))

for label, first in ('left', 0), ('right', 8):
    os.makedirs(f'd/{label}')
    for i in range(6):
        fvecs(f'd/{label}/{i}.fvecs', [first + draw.randrange(12) for _ in range(30)])
fvecs('new.fvecs', [draw.randrange(12) for _ in range(30)])
END
echo "not rows" > d/notes.txt
akin codebook d --words 20 --out words --bags bags.svm --names names.txt
head -n 2 names.txt
akin check words
akin codebook d --words 20 --out again --threads 2 --quiet > /dev/null 2>&1
cmp words again
akin vectors bags.svm --names names.txt --out c --quiet > /dev/null
akin codebook new.fvecs --codebook words --bags new.svm
akin search c --queries new.svm --top 3 | cut -d' ' -f5 | cut -d/ -f1
akin codebook new.fvecs --codebook words --bags new.svm --json
akin codebook d --words 20 --collection items --quiet 2> /dev/null
akin codebook d --words 20 --collection items 2>&1 | tail -n 1
akin codebook d --words 20 --collection items --force 2> /dev/null
akin codebook new.fvecs --codebook items --bags again.svm --quiet
cmp new.svm again.svm
akin search items --queries again.svm --top 3 | cut -d' ' -f5 | cut -d/ -f1
akin check items
