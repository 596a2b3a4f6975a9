# Pictures whose features move together come first, the others stay in order.
source "$CASES/pictures.bash"
pictures p 3 4
akin images p --out c --words 200 --quiet > /dev/null
akin search c --image p/k1/2.png --top 4 --verify | cut -d' ' -f5 | cut -d/ -f1
akin search c --like k1/2.png --top 3 --verify --json | grep -c agreeing
akin search c --like k1/2.png --top 3 --verify --json > one
akin search c --like k1/2.png --top 3 --verify --json --threads 2 | cmp one -
akin search c --like k1/2.png,k0/1.png --verify
akin search c --queries x --verify
akin index cosine --data c --out i --quiet > /dev/null
akin search i --like 1 --verify
akin search c --image none.png --verify
