# Photos of three persons, a colour each, with captions in prose, as a collection
# of faces. Run in an empty folder: CASES is tests/cli/x.
. "$CASES/../faces.sh"
mkdir photos
paint photos/p1.png 240 120 20,60,250,10,10 150,60,250,240,10
paint photos/p2.png 120 120 20,60,248,14,12
paint photos/p3.png 240 120 20,60,250,236,12 150,60,250,10,240
paint photos/p4.png 240 120 20,60,250,12,236 150,60,250,12,10
cat >captions.csv <<'END'
photo,caption
p1.png,"🎉 Zoë Müller greets Hon. Ruth Keller at the opening of Grand Hall."
p2.png,Zoë Müller waves.
p3.png,"Ruth Keller and Karin Vogel. Later that day Vogel smiles."
p4.png,"Karin Vogel, left, and Zoë Müller."
END
akin faces photos --captions captions.csv --out "$OUT" --quiet
