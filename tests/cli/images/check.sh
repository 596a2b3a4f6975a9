# Files that do not go together, or are damaged or gone, are no collection.
source "$CASES/pictures.bash"
pictures p 2 3
pictures q 3 3
akin images p --out c --words 20 --quiet > /dev/null
akin images q --out d --words 30 --quiet > /dev/null
akin images q --out e --words 20 --quiet > /dev/null
check() {
    akin check t
    echo "exit $?"
    rm -r t
    cp -r c t
}
cp -r c t
check
rm t/catalog.sqlite
check
rm t/segments/1.safetensors
check
/usr/bin/python3 - <<'END'
import json, struct
with open('t/segments/1.safetensors', 'r+b') as f:
    size, = struct.unpack('<Q', f.read(8))
    at = json.loads(f.read(size))['postings']['data_offsets'][0]
    f.seek(8 + size + at)
    byte = f.read(1)[0]
    f.seek(8 + size + at)
    f.write(bytes([byte ^ 1]))
END
check
cp d/segments/1.safetensors t/segments
check
cp e/segments/1.safetensors t/segments
check
cp d/codebook.safetensors t
check
cp d/codebook.safetensors t
cp d/segments/1.safetensors t/segments
check
rm p/k0/1.png
check 2>&1 | sed "s|$PWD/||g"
