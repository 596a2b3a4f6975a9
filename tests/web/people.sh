# Photos of four persons, a colour each, with captions in prose, some of them
# hostile; as a collection of faces. Run in an empty folder: CASES is tests/cli/x.
. "$CASES/../faces.sh"
mkdir photos
i=0
for pair in "250,10,10 250,240,10" "248,14,12 250,10,240" "250,236,12 245,120,120" \
    "250,12,236 250,12,10" "246,124,122 250,240,14" "250,10,14 250,244,12" \
    "250,8,12 244,118,124" "252,238,10 250,14,238"; do
    set -- $pair
    i=$((i + 1))
    paint photos/p$i.png 240 120 20,60,$1 150,60,$2
done
paint photos/p9.png 240 120 20,60,210,60,60
paint photos/q1.png 240 120 20,60,220,220,220
paint photos/q2.png 240 120 20,60,222,220,221
paint photos/r1.png 240 120 90,60,120,110,100
python3 - <<'END'
import csv
ann, bob = "Ann Lee", "Bob <img src=x onerror=window.hacked=1>"
cid, dee = "\u202eCid Fox", "Dee Özil"
rows = [(1, [ann, bob]), (2, [ann, cid]), (3, [bob, dee]), (4, [cid, ann]),
        (5, [dee, bob]), (6, [ann, bob]), (7, [ann, dee]), (8, [bob, cid]),
        (9, [ann, dee])]
with open("captions.csv", "w", newline="") as f:
    out = csv.writer(f)
    out.writerow(["photo", "names", "caption"])
    for i, names in rows:
        out.writerow([f"p{i}.png", ";".join(names),
                      f"{' and '.join(names)} <script>window.hacked=1</script>"])
    out.writerow(["q1.png", "", "x" * 500000 + " Nobody"])
    out.writerow(["q2.png", "", ""])
END
akin faces photos --captions captions.csv --out "$OUT" --quiet
