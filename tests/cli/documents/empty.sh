# A collection whose last document is removed stays in use.
printf 'id,text\na,apple pie\nb,banana apple\nc,cherry\n' > r.csv
documents() { akin documents "$@" | sed 's/, [0-9.]* m\?s$//'; }
documents r.csv --out r
akin remove r --where "name like '%'"
akin search r --text apple
akin check r
documents r --model cosine
documents r --model auto
documents r --add r.csv --restore
akin remove r a b c
documents r --add r.csv --restore
akin search r --text apple
