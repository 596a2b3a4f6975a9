# Killed again and again, the collection opens, and ends as if nothing had been.
mkdir -p docs/{a,b}
for k in $(seq 6000); do
    echo "word$((k % 97)) term$((k % 891)) label$((k % 7)) $k text$k" > docs/a/$k
done
akin documents docs --out whole --quiet > /dev/null
for tenths in 0 1 1 1 2 2 3 4 5 6 7 8 9 15 20 30 50 100 200; do
    timeout -s KILL $((tenths / 10)).${tenths: -1}3 \
        akin documents docs --out c > last 2>&1 && break
    [ ! -e c/segments ] || akin check c > /dev/null || echo unsound
done 2> /dev/null
grep -cE '6,000 documents|a collection exists' last
newest() { ls -v "$1"/segments/* | tail -1; }
cmp "$(newest whole)" "$(newest c)"
akin check c
/usr/bin/python3 - <<'END'
import sqlite3
c = sqlite3.connect('c/catalog.sqlite')
print(c.execute('SELECT COUNT(*), COUNT(DISTINCT path) FROM items').fetchone(),
      c.execute('PRAGMA integrity_check').fetchone()[0])
END
