# Records of csv and JSON lines have names and fields.
source "$CASES/news.bash"
cat > a.csv <<'END'
id,text,label,year,lang
k1,"red sun rises","a;b",2001,en
k2,"blue moon sets",b,2002,de
"new
line","green moon",,2003,
END
documents a.csv --out c
akin search c --like k2 --top 2
akin search c --like k2 --where 'year >= 2003' --top 2
# One text and one field change, a record goes.
sed -i 's/red sun rises/red sun/; s/2002/2022/; /^"new/,$d' a.csv
documents c --add a.csv
documents c --add a.csv --prune
akin search c --like k1 --where 'year = 2022' --top 2
akin check c
# The file moves: the records stay what they are.
mv a.csv b.csv
documents c --add b.csv
documents c --add b.csv --prune
# Another file may repeat a record, but not give its name to another text.
printf '{"key": "k1", "text": "red sun"}\n{"key": "k9", "text": "old moon"}\n' > more.jsonl
documents c --add more.jsonl
printf 'id,text\nk8,eight\nk1,blue sun\n' > other.csv
documents c --add other.csv 2>&1 | sed "s|$PWD/||"
# Without names records are called by file and number.
printf 'text\nred sun\nred moon\n' > plain.csv
documents plain.csv --out d
akin search d --like plain.csv:1 --top 1
documents plain.csv --out e --name-column text
akin search e --like 'red moon' --top 1
for text in 'id,text\nk,a b\nk,c d\n' 'id,text\nk,a b\nc\n' 'id,words\nk,a\n' 'id,text\n' 'id,text\nk,the\n'; do
    printf "$text" > bad.csv
    akin documents bad.csv --out x || echo $?
    documents bad.csv --out d --force
done
printf '{"id": "a\\u0000b", "text": "x"}\n' > bad.jsonl
documents bad.jsonl --out x
printf '{"id": "%05000d", "text": "x"}\n' 1 > bad.jsonl
documents bad.jsonl --out x
akin check d
ls -d x
documents c --add b.csv --labels b.csv
documents c --add b.csv --name-column nowhere
# A file has the columns that it was added with; others would add it again.
printf 'photo,caption,id\np1,red sun,1\np2,old moon,2\n' > photos.csv
documents photos.csv --out g --text-column caption --name-column photo
documents g --add photos.csv
documents g --add photos.csv --text-column caption
documents g --add photos.csv --name-column id
printf 'p3,new stars,3\n' >> photos.csv
documents g --add photos.csv --name-column photo
documents g --add photos.csv --name-column id --prune
akin search nowhere --text x
# Labels keep their blanks.
printf 'id,text,label\na,red sun,"Science Fiction;Science,Fiction"\nb,red moon,Science Fiction\n' > f.csv
documents f.csv --out f --quiet
akin search f --like a --where 'label = "Science Fiction"' --top 3
akin convert f f.safetensors
