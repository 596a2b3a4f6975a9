# A first run that is refused leaves nothing behind.
source "$CASES/pictures.bash"
pictures p 2 3
mkdir empty there
refused() {
    akin images "$@" --quiet > said 2>&1
    echo "exit $?"
    sed "s|$PWD/||g" said
    ls -d c 2> /dev/null
    ls -A there
}
refused p --out c --words 6000
refused p --out c --codebook nothing.safetensors
refused empty --out c
refused p --out there --words 6000
akin images p --out there --words 20 | sed 's/, [0-9.]* m\?s$//'
refused there --out c | grep -v '^[a-z]*\.[a-z]*$'
akin images p --out c --words 20 | sed 's/, [0-9.]* m\?s$//'
# One that was begun and has no words yet takes other options.
rm -r c/*.safetensors c/segments
/usr/bin/python3 - <<'END'
import sqlite3
c = sqlite3.connect('c/catalog.sqlite')
c.execute('DELETE FROM items')
c.execute('UPDATE folders SET done = 0')
c.commit()
END
akin images c --add p
akin images p --out c --words 30 | sed 's/, [0-9.]* m\?s$//'
