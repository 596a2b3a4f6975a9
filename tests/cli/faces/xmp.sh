# Boxes and names out as XMP and in again; captions in XMP and text files.
. "$CASES/../faces.sh"
paint_photos
cat >boxes.csv <<'END'
photo,x,y,width,height,name
ann_bob.png,10.25,15,30,30,"A <B> & ""C"" Ünal"
ann_bob.png,70,13,34,34,
bob.png,20,15,30.125,30,Bob
END
printf 'photo,caption\nann_bob.png,"Some <men>, & one"\n' >captions.csv
akin faces photos --boxes boxes.csv --captions captions.csv --out a.akin --quiet
akin export a.akin --to json --out a --quiet
akin export a.akin --to xmp --out photos
ls photos photos/2019
grep -E 'Name|PersonInImage|rdf:li>|Area' photos/ann_bob.png.xmp
cp photos/ann_bob.png.xmp before.xmp
akin export a.akin --to xmp --out photos
cmp photos/ann_bob.png.xmp before.xmp && echo exported twice: the same
akin faces photos --from-xmp --out b.akin --quiet
akin export b.akin --to json --out b --quiet
cmp a/faces.json b/faces.json && echo the same
echo --- captions in files
rm photos/*.xmp photos/2019/*.xmp
printf 'From a text file.\n\n' >photos/cat.txt
printf '<a><b></a>' >photos/cat.xmp
printf '<!DOCTYPE a><a/>' >photos/empty.png.xmp
akin faces photos --out c.akin --quiet
akin export c.akin --to json --out c --quiet
grep -A1 cat.png c/faces.json
