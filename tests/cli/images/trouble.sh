source "$CASES/pictures.bash"
pictures p 2 3
: > p/k0/empty.jpg
echo 'no picture' > p/k0/text.jpg
head -c 2000 p/k0/1.png > p/k0/truncated.png
/usr/bin/python3 - <<'END'
import struct, zlib
def chunk(name, data):
    crc = zlib.crc32(name + data)
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', crc)
pack, packed = zlib.compressobj(9), b''
for y in range(20):  # what its header says is enough
    packed += pack.compress(bytes(20001))
packed += pack.flush()
with open('p/k0/vast.png', 'wb') as f:
    f.write(b'\x89PNG\r\n\x1a\n'
            + chunk(b'IHDR', struct.pack('>IIBBBBB', 20000, 20000, 8, 0, 0, 0, 0))
            + chunk(b'IDAT', packed) + chunk(b'IEND', b''))
END
printf 'P5 2 2 255\n1234' > p/k0/grey.pgm
ln -s . p/k1/around
ln -s nowhere p/k1/gone.png
ln -s self.png p/k1/self.png
mkfifo p/k1/pipe.png
mv p/k1/0.png "p/k1/$(printf 'new\nline \xff.png')"
echo notes > p/README
akin images p --out c --words 20 2> said | sed 's/, [0-9.]* m\?s$//'
grep -v '^akin: [a-z ]* [0-9]* of [0-9]*' said | sed "s|$PWD/||g"  # no progress
akin search c --like 3 --top 2 | cut -d' ' -f 1-3,5-
akin images c --add p --strict --quiet --json 2> again | grep -v seconds
echo "exit ${PIPESTATUS[0]}"
tail -1 again
