# What could not be read is counted by info and named by check, until it can be
# read or is gone.
source "$CASES/../images/pictures.bash"
pictures p 2 2
echo bad > p/k0/bad.png
: > p/k1/empty.jpg
akin images p --out c --words 20 --quiet > /dev/null 2>&1
look() { akin info $1 | grep skipped; akin check $1 2>&1 | sed "s|$PWD/||g"; }
look c
rm p/k0/bad.png
cp p/k0/0.png p/k1/empty.jpg
akin images c --add p --quiet > /dev/null 2>&1
look c
mkdir d
echo "a river" > d/1
printf 'x\0y' > d/bin
akin documents d --out e --quiet > /dev/null 2>&1
look e
cd d
rm bin
printf 'x\0y' > 1
akin documents ../e --add ../d --quiet > /dev/null 2>&1
cd ..
look e
printf '{"id": "a", "text": "one river"}\n{"id": "b", "text": "nul \\u0000 byte"}\n' > r.jsonl
akin documents r.jsonl --out f --quiet > /dev/null 2>&1
look f
printf '{"id": "a", "text": "one river"}\n' > r.jsonl
akin documents f --add r.jsonl --quiet > /dev/null 2>&1
look f
