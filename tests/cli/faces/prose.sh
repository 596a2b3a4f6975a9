# Names come from the text of captions; other captions change them without a
# look at the pixels.
. "$CASES/../faces.sh"
paint_photos
cat >prose.csv <<'EOF'
photo,caption
ann_bob.png,"Mayor Ann Keller (L) greets Bob Tanner (R) in Bern. Photo by Carl Hobbs"
2019/bob.png,Bob Tanner waits for a train.
cat.png,"Cathy Jones, sister of the late Tom Miller, smiles."
EOF
names() {
    python3 - c.akin/catalog.sqlite <<'EOF'
import sqlite3
import sys

for row in sqlite3.connect(sys.argv[1]).execute(
        "SELECT CAST(p.name AS TEXT), n.name, in_picture, position, probability > 0.5 "
        "FROM caption_names n JOIN photos p ON p.id = n.photo ORDER BY p.id, place"):
    print(*row, sep=",")
EOF
}
akin faces photos --captions prose.csv --out c.akin --quiet
names
akin name c.akin --out names.csv --quiet
cut -d, -f1-3 names.csv
echo --- another caption, names given, and an alias
cat >other.jsonl <<'EOF'
{"photo": "ann_bob.png", "caption": "Bob Tanner, left, with the Mayor of Bern"}
{"photo": "cat.png", "names": ["Cathy Smith"]}
EOF
printf 'alias,name\nmayor of bern,Ann Keller\n' >aliases.csv
akin faces c.akin --add photos --captions other.jsonl --aliases aliases.csv --json |
    grep -E '"(looked_at|captions)"'
names
echo --- a tagger of one\'s own, and texts beside the photos
cat >labelled.jsonl <<'EOF'
{"photo": "1", "caption": "zork Ann sits.", "names": [{"name": "Ann", "mentions": ["Ann"], "in_picture": true}]}
{"photo": "2", "caption": "zork Bob sits.", "names": [{"name": "Bob", "mentions": ["Bob"], "in_picture": true}]}
EOF
akin persons --learn labelled.jsonl --out own.tagger --quiet
echo 'zork Carla sits.' >photos/cat.txt
akin faces photos --tagger own.tagger --out c.akin --force --quiet
names
echo --- XMP beside a photo
cat >photos/ann_bob.xmp <<'EOF'
<x:xmpmeta xmlns:x="adobe:ns:meta/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:RDF><rdf:Description>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">From right: Ann Keller, Bob
Tanner. Photo by Carl Hobbs</rdf:li></rdf:Alt></dc:description>
</rdf:Description></rdf:RDF></x:xmpmeta>
EOF
rm photos/cat.txt
akin faces photos --out c.akin --force --quiet
names
akin faces photos --tagger prose.csv --out d.akin || echo "exit $?"
akin faces photos --aliases none.csv --out d.akin || echo "exit $?"
