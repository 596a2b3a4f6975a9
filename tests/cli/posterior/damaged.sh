# A file that was cut off or changed is no model.
source "$CASES/../points.sh"
akin train logistic --data points.csv --label-column label --out m.safetensors --quiet
python3 -c '
b = bytearray(open("m.safetensors", "rb").read())
open("cut.safetensors", "wb").write(b[:-40])
b[-1] ^= 1
open("bit.safetensors", "wb").write(b)
b[-1] ^= 1
open("name.safetensors", "wb").write(b.replace(b"\"sharpness\"", b"\"sharpnesz\""))'
for f in cut bit name; do
    akin check $f.safetensors || echo $?
    akin predict $f.safetensors --data points.csv --quiet || echo $?
done
