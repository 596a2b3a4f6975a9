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
# A lost codebook is only needed for pictures from outside.
cp -r p/k1 x
rm t/codebook.safetensors
akin search t --like 3 --top 1 | wc -l
akin remove t k0/2.png
akin search t --image x/0.png 2>&1; echo $?
cp d/codebook.safetensors t
akin search t --image x/0.png 2>&1; echo $?
check 2>&1
# The index can be written again; versions that are not in use are looked at.
for i in 0 1 2; do
    akin feedback t --query k1/$i.png --good k1/$(((i + 1) % 3)).png --bad k0/0.png > /dev/null
done
akin learn t --quiet > /dev/null
akin learn t --rollback 1
rm t/segments/*
akin search t --like 3 2>&1; echo $?
akin learn t --rollback 1
akin search t --like 3 --top 1 | wc -l
akin learn t --rollback 0
rm t/versions/1.safetensors
akin search t --like 3 --top 1 | wc -l
akin check t 2> warnings; echo $?
grep version warnings
