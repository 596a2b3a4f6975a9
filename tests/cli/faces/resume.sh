# A run that is killed goes on where it was: the same faces as without.
. "$CASES/../faces.sh"
mkdir photos
for i in 1 2 3 4 5 6 7 8 9; do
    paint photos/p$i.png 100 60 $((5 * i)),30,25$((i / 2)),$((9 * i)),10
done
akin faces photos --out whole.akin --threads 1 --quiet
paint kill.png 40 14
cp photos/p6.png p6.png
cp kill.png photos/p6.png
bash -c 'akin faces photos --out c.akin --threads 1 --quiet; exit $?' >/dev/null 2>&1
echo "killed: $?"
akin info c.akin | grep -E 'rows|finished'
cp p6.png photos/p6.png
akin faces photos --out c.akin --threads 1 --quiet
akin info c.akin | grep -E 'rows|finished'
akin faces photos --out c.akin --quiet || echo "exit $?"
for c in whole c; do
    akin export $c.akin --to json --out $c --quiet
    akin convert $c.akin $c.npy --quiet
done
cmp whole/faces.json c/faces.json && cmp whole.npy c.npy && echo the same
akin check c.akin
