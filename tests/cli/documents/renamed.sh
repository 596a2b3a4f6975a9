# A file of records without names is renamed: they stay what they are.
documents() { akin documents "$@" | sed 's/, [0-9.]* m\?s$//'; }
items() {
    /usr/bin/python3 -c "
import sqlite3
for row in sqlite3.connect('c/catalog.sqlite').execute(
        'SELECT id, name, snippet FROM items ORDER BY id'):
    print(*[x.decode() if isinstance(x, bytes) else x for x in row], sep=' | ')"
}
printf 'text\none apple\ntwo pears\none apple\n' > m1.csv
documents m1.csv --out c
mv m1.csv m2.csv
documents c --add m2.csv
items
# One more of the same, after it was renamed again.
mv m2.csv m3.csv
echo 'one apple' >> m3.csv
documents c --add m3.csv
items
# In another folder, by the same name, and with one more.
mkdir sub
mv m3.csv sub
echo 'one apple' >> sub/m3.csv
documents c --add sub/m3.csv
items
# Another file is another one.
cp sub/m3.csv m4.csv
documents c --add m4.csv
akin check c
printf '{"text": "red sun"}\n{"text": "red moon"}\n' > a.jsonl
documents a.jsonl --out j
mv a.jsonl b.jsonl
sed -i 1d b.jsonl
documents j --add b.jsonl --prune
akin search j --like b.jsonl:0
