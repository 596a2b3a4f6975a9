# A person leaves: faces, names, captions and events; no file has the name.
. "$CASES/../faces.sh"
paint_photos
cat >boxes.csv <<'END'
photo,x,y,width,height,name
ann_bob.png,10,15,30,30,Annabel Lee
ann_bob.png,70,13,34,34,Bob
bob.png,20,15,30,30,Bob
cat.png,10,5,40,40,Cat
END
cat >captions.csv <<'END'
photo,names,caption
ann_bob.png,Annabel Lee;Bob,Annabel Lee and Bob
bob.png,Bob,Bob again
END
akin faces photos --boxes boxes.csv --captions captions.csv --out c.akin --quiet
akin feedback c.akin --query '2019/bob.png#1' --good 'ann_bob.png#2' --bad 'ann_bob.png#1'
akin feedback c.akin --query 'cat.png#1' --bad 'ann_bob.png#2'
akin check c.akin --without-person 'Annabel Lee' || echo "exit $?"
akin remove c.akin --person 'Annabel Lee'
akin check c.akin --without-person 'Annabel Lee'
grep -rl 'Annabel Lee' c.akin || echo in no file
akin feedback c.akin --list | wc -l
akin export c.akin --to json --out t --quiet
grep -E 'caption|name' t/faces.json | cut -c1-50
akin remove c.akin --person 'Annabel Lee' || echo "exit $?"
akin name c.akin --out names.csv --quiet
cut -d, -f1-3 names.csv
akin remove c.akin --person Bob --names names.csv
akin info c.akin | head -2
