# The JSON of collections, as main/json_vocabulary has that of other commands.
source "$CASES/pictures.bash"
pictures p 2 2
akin images p --out c --words 10 --json --quiet >images.json
akin images c --model tfidf --json --quiet >images-model.json
akin search c --like 0 --top 2 --json >search-collection.json
akin explain c 0 1 --out why.svg --json >explain-pictures.json
akin info c --json >info-collection.json
akin search c --like 0 --top 2 --verify --json >search-verify.json
akin tag c --image p/k0/0.png --json >tag.json
akin duplicates c --at-least 0.1 --json >duplicates.json
printf '1,2\n3,4\n' >d.csv
akin codebook d.csv --words 1 --out w --bags b.svm --json >codebook.json
akin remove c k0/0.png --json >remove.json
printf 'photo,faces,names\np,0,Ann\nq,1,Bob\n' >captions.csv
akin faces --vectors d.csv --captions captions.csv --out f --json >faces.json
akin info f --json >info-faces.json
akin export f --to csv --out t --json >export.json
/usr/bin/python3 "$CASES/../main/json_vocabulary.py" *.json
