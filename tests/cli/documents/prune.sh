# Records that are gone leave; those of a file that is gone as a whole stay.
documents() { akin documents "$@" 2>&1 | sed "s/, [0-9.]* m\?s\$//; s|$PWD/||"; }
names() { akin search c --text moon --top 20 | cut -d ' ' -f 5 | sort | tr '\n' ' '; echo; }
printf 'key,code,words\nx,k1,red moon\nx,k2,blue moon\nx,k3,green moon\n' > a.csv
printf '{"text": "old moon"}\n{"text": "new moon"}\n{"text": "old moon"}\n{"id": "n", "text": "old moon"}\n' > b.jsonl
documents a.csv --out c --name-column code --text-column words
documents c --add b.jsonl
documents c --prune
sed -i '/k2/d; s/red moon/red sun/' a.csv
sed -i 1,2d b.jsonl
documents c --prune
names
akin check c
# Files that are broken or gone.
printf 'key,code,words\nx\n' > broken.csv
mv a.csv kept.csv
mv broken.csv a.csv
documents c --prune
rm a.csv
documents c --prune
documents c --add b.jsonl --prune
names
# It moved, and lost a record.
sed -i '/k3/d' kept.csv
documents c --add kept.csv --name-column code --text-column words
documents c --prune
names
# All records are gone, and come again.
sed -i '2,$d' kept.csv
rm b.jsonl
documents c --prune
printf '{"text": "half moon"}\n' > b.jsonl
documents c --prune
names
documents c --add b.jsonl
names
documents c --prune --name-column code
