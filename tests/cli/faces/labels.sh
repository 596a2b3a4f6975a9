# Names that came with boxes or XMP count as said: they are never overwritten.
. "$CASES/../faces.sh"
paint_photos
cat >boxes.csv <<'BOXES'
photo,x,y,width,height,name
ann_bob.png,10,15,30,30,Known Person
ann_bob.png,70,13,34,34,
2019/bob.png,20,15,30,30,
cat.png,10,5,40,40,Bob
BOXES
names() { akin name "$@" --out names.csv --quiet && cut -d, -f1-3 names.csv; }
akin faces photos --boxes boxes.csv --captions captions.csv --out c.akin --quiet
names c.akin
cut -d, -f5 names.csv | head -2
echo --- out to XMP and in again
akin export c.akin --to xmp --names names.csv --out photos --quiet
akin faces photos --from-xmp --out x.akin --quiet
names x.akin --min-count 1
echo --- without a caption
rm photos/*.xmp photos/2019/*.xmp
akin faces photos --boxes boxes.csv --out n.akin --quiet
names n.akin
echo --- one name for two faces of a photo, and rare names
sed 's/34,34,/&Known Person/' boxes.csv >twice.csv
akin faces photos --boxes twice.csv --captions captions.csv --out t.akin --quiet
names t.akin
names t.akin --min-count 2
akin name t.akin --save-model m.safetensors --out names.csv --quiet
names t.akin --model m.safetensors
echo --- new photos
akin name c.akin --out names.csv --quiet
mkdir more && paint more/dora.png 80 60 20,30,30,236,12
printf 'photo,names\ndora.png,Dora\n' >dora.csv
printf 'photo,x,y,width,height,name\ndora.png,20,15,30,30,Somebody\n' >dora-box.csv
akin faces c.akin --add more --captions dora.csv --boxes dora-box.csv --quiet
names c.akin
