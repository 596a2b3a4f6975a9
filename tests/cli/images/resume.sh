# Killed again and again, the collection opens, and ends as if nothing had been.
source "$CASES/pictures.bash"
pictures p 4 12
akin images p --out whole --words 40 --colours hsv --quiet > /dev/null
for tenths in 1 2 3 4 5 6 7 8 9 15 20 30 50 100 200 400; do
    timeout -s KILL $((tenths / 10)).$((tenths % 10)) \
        akin images p --out c --words 40 --colours hsv > last 2>&1 && break
    [ ! -e c/codebook.safetensors ] || akin check c > /dev/null || echo unsound
done 2> /dev/null
# A run that is killed after its last file was written had nothing left to say.
grep -cE '48 pictures|a collection exists' last
for file in codebook colours; do
    cmp whole/$file.safetensors c/$file.safetensors
done
newest() { ls -v "$1"/segments/* | tail -1; }
cmp "$(newest whole)" "$(newest c)"
/usr/bin/python3 - <<'END'
import sqlite3
c = sqlite3.connect('c/catalog.sqlite')
print(c.execute('PRAGMA user_version').fetchone()[0],
      c.execute('SELECT COUNT(*), COUNT(DISTINCT path) FROM items').fetchone(),
      c.execute('PRAGMA integrity_check').fetchone()[0])
END
