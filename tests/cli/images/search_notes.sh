# What a search says beside its results.
source "$CASES/pictures.bash"
pictures p 2 3
akin images p --out c --words 20 --quiet
/usr/bin/python3 - <<'END'
import struct, zlib
def chunk(name, data):
    crc = zlib.crc32(name + data)
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', crc)
with open('grey.png', 'wb') as f:
    f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 64, 64, 8, 0, 0, 0, 0))
            + chunk(b'IDAT', zlib.compress(bytes(64 * 65))) + chunk(b'IEND', b''))
END
akin search c --image grey.png --top 1
/usr/bin/python3 - <<'END'
import sqlite3
c = sqlite3.connect('c/catalog.sqlite')
c.execute('UPDATE folders SET done = 0')
c.commit()
END
akin search c --like 0 --top 1
akin info c | grep finished
# A run that is under way was not interrupted.
flock c akin search c --like 0 --top 1
flock c akin info c | grep finished
akin search c --like 0 --top 1 --quiet
