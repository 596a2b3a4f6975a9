# Photos whose files are gone: said, removed, and known when they come back.
. "$CASES/../faces.sh"
paint_photos
run() { akin faces c.akin --add photos --captions captions.csv "$@" | sed 's/, [0-9.]* m\?s$//'; }
akin faces photos --captions captions.csv --out c.akin --quiet
mv photos/ann_bob.png .
run
run --prune
run
akin name c.akin --out names.csv --quiet
cut -d, -f1-3 names.csv
akin check c.akin
mv ann_bob.png photos/
run
akin check c.akin
