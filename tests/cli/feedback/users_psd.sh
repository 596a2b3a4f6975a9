# A shared model of directions; anna wants the first of two properties alone.
awk 'BEGIN { x = 7; for (i = 0; i < 48; ++i) { line = ""
    a = i % 2 - 0.5; b = int(i / 2) % 2 - 0.5
    for (j = 0; j < 3; ++j) { x = (x * 75 + 74) % 65537; v = (x / 32768 - 1) / 2
        line = line (j ? "," : "") v + (j == 0 ? a : b) "," v - (j == 0 ? a : b) }
    print line } }' > rows.csv
seq -f i%g 0 47 > names.txt
akin vectors rows.csv --names names.txt --label-column none --out c --quiet > /dev/null
akin learn c --after 0 --quiet
for i in $(seq 0 15); do
    echo "{\"query\": $i, \"good\": [$((i + 4)), $((i + 8)), $((i + 12))], \"bad\": [$((i + 1)), $((i + 2)), $((i + 3))]}"
done | akin feedback c --file - > /dev/null
akin learn c loreta-psd
for i in $(seq 16 31); do
    echo "{\"user\": \"anna\", \"query\": $i, \"good\": [$(((i + 4) ^ 2)), $(((i + 8) ^ 2))], \"bad\": [$(((i + 4) ^ 1)), $(((i + 8) ^ 1))]}"
done > annas.jsonl
akin feedback c --file annas.jsonl > /dev/null
akin learn c --user anna
first() { akin search c --like i32 --top 8 --feedback none "$@" | cut -d' ' -f 4,5; }
first --user anna > annas
first > shared
cmp -s annas shared || echo other
akin learn c --versions
# Without the shared model that they were learned for, weights have no effect.
akin learn c --rollback 0
akin learn c --versions | grep anna
akin info c | grep users
first > plain
first --user anna | cmp - plain && echo same
akin learn c --rollback 2 --user anna
akin learn c --rollback 0
# The same model again, as another version.
for i in $(seq 17 32); do akin feedback c --undo $i --quiet; done
akin learn c loreta-psd
cmp c/versions/1.safetensors c/versions/3.safetensors && echo same
akin learn c --versions | grep anna
akin info c | grep users
first --user anna | cmp - annas && echo same
# Another one.
for i in $(seq 16 31); do
    echo "{\"query\": $i, \"good\": [$((i + 4)), $((i + 8))], \"bad\": [$((i + 1)), $((i + 2))]}"
done | akin feedback c --file - > /dev/null
akin learn c loreta-psd
akin learn c --versions --json | grep note
akin learn c --rollback 2 --user anna
akin learn c --rollback 1
akin learn c --rollback 2 --user anna
first --user anna | cmp - annas && echo same
akin check c
# What ends when a collection learns by itself is learned again; here the shared
# model is as good by then, and none is made.
akin vectors rows.csv --names names.txt --label-column none --out e --quiet > /dev/null
akin learn e --after 0 --quiet
said() { for i in $(seq $1 $2); do
    echo "{\"query\": $i, \"good\": [$((i + 4)), $((i + 8)), $((i + 12))], \"bad\": [$((i + 1)), $((i + 2)), $((i + 3))]}"
done; }
said 0 11 | akin feedback e --file - > /dev/null
akin learn e loreta-psd --quiet
(cat annas.jsonl; sed 's/"query": 1/"query": 2/;t;s/"query": 2/"query": 1/' annas.jsonl) | akin feedback e --file - > /dev/null
akin learn e --user anna
akin learn e --after 1 --quiet
said 32 35 | akin feedback e --file - > /dev/null
akin learn e --versions
