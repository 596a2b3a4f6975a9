# An interrupted run: other commands say so, and nothing is added before it ends.
. "$CASES/../faces.sh"
mkdir photos other
for i in 1 2 3 4 5 6 7 8 9; do
    paint photos/p$i.png 100 60 $((5 * i)),30,25$((i / 2)),$((9 * i)),10
done
paint other/o.png 80 60 20,30,250,236,12
paint kill.png 40 14
cp photos/p6.png p6.png
cp kill.png photos/p6.png
bash -c 'akin faces photos --out c.akin --threads 1 --quiet; exit $?' >/dev/null 2>&1
echo "killed: $?"
cp p6.png photos/p6.png
akin faces c.akin --add other --quiet || echo "exit $?"
akin name c.akin --out names.csv --quiet || echo "exit $?"
akin export c.akin --to csv --out t --quiet
akin info c.akin | grep -E 'rows|photos|finished'
akin faces photos --out c.akin --quiet
akin faces c.akin --add other --quiet
akin info c.akin | grep -E 'rows|photos|finished'
echo --- photos that are gone are not waited for
cp kill.png photos/p6.png
bash -c 'akin faces photos --out d.akin --threads 1 --quiet; exit $?' >/dev/null 2>&1
mv photos gone
akin faces d.akin --add other --quiet
akin info d.akin | grep -E 'rows|photos|finished'
akin export d.akin --to csv --out t --quiet
