# One bit in the word that says whose file it is, then one in the weights: the
# checksums are looked at all the same. Without any checksum it is no model.
cp "$CASES/../../golden/diagonal-1.safetensors" m.safetensors
cp "$CASES/../../golden/text-recipe-2.safetensors" r.safetensors
python3 -c '
import json, re
b = open("m.safetensors", "rb").read()
c = bytearray(b.replace(b"\"format\"", b"\"formau\"", 1))
open("key.safetensors", "wb").write(c)
c[-1] ^= 1
open("both.safetensors", "wb").write(c)
for name in "mr":
    b = open(name + ".safetensors", "rb").read()
    n = int.from_bytes(b[:8], "little")
    h = json.loads(b[8:8 + n])
    h["__metadata__"] = {k: v for k, v in h["__metadata__"].items()
                         if k != "format" and not k.startswith("xxh3")}
    h = json.dumps(h).encode().ljust(n)
    open(name + "none.safetensors", "wb").write(b[:8] + h + b[8 + n:])'
printf 'x 1:1 6:2\ny 2:1\n' > d.svm
for f in key both mnone rnone; do
    akin check $f.safetensors
    akin info $f.safetensors
    akin eval $f.safetensors --data d.svm --train d.svm --task knn
done
akin text d.svm --recipe rnone.safetensors --out e.svm
akin convert mnone.safetensors e.svm
