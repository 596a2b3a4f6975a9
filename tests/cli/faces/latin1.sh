# Captions that are Latin-1, in files beside photos and in csv; a line says so.
. "$CASES/../faces.sh"
mkdir photos
for p in a b c; do paint photos/$p.png 80 60 20,30,250,236,12; done
printf 'Jos\xe9 M\xfcller waves.\n' >photos/a.txt
printf 'Ann Lee waves.\n' >photos/b.txt
printf 'Zo\xeb Keller waves.\n' >photos/b.png.txt
printf 'Jos\xc3\xa9 \xff Roe waves.\n' >photos/c.txt
captions() {
    akin export $1 --to json --out t --quiet
    grep caption t/faces.json
}
akin faces photos --out c.akin --quiet
captions c.akin
akin persons photos | iconv -f UTF-8 -t UTF-8 | cut -d, -f1-5
printf 'photo,caption\na.png,caf\xc3\xa9\nb.png,Jos\xe9\nc.png,Zo\xeb\n' >c.csv
akin faces c.akin --add photos --captions c.csv --quiet
captions c.akin
printf '{"photo": "a.png", "caption": "Zo\xeb"}\n' >c.jsonl
akin faces c.akin --add photos --captions c.jsonl --quiet || echo "exit $?"
echo --- names of files that are not UTF-8
mkdir odd
paint "odd/$(printf 'b\xff"\x7f.png')" 80 60 20,30,250,236,12
echo 'Ann Lee waves.' >"odd/$(printf 'b\xff"\x7f.txt')"
akin faces odd --out odd.akin --quiet
akin export odd.akin --to json --out t --quiet
python3 -c 'import json; print(json.load(open("t/faces.json", encoding="utf-8"))[0]["photo"])'
akin persons odd | iconv -f UTF-8 -t UTF-8 | cut -d, -f1-3
