# Two classes differ in the differences of columns, which no weight of one sees.
awk 'BEGIN { x = 7; for (i = 0; i < 40; ++i) { line = ""
    for (j = 0; j < 3; ++j) { x = (x * 75 + 74) % 65537; v = x / 32768 - 1
        line = line (j ? "," : "") v + (i % 2 - 0.5) "," v - (i % 2 - 0.5) }
    print line } }' > rows.csv
seq -f i%g 0 39 > names.txt
akin vectors rows.csv --names names.txt --label-column none --out c --quiet > /dev/null
akin learn c --after 0 --quiet
for i in $(seq 0 2 18); do
    echo "{\"query\": $i, \"good\": [$((i + 2)), $((i + 4)), $((i + 8))], \"bad\": [$((i + 1)), $((i + 3)), $((i + 9))]}"
    echo "{\"query\": $((i + 1)), \"good\": [$((i + 3)), $((i + 7)), $((i + 9))], \"bad\": [$((i + 2)), $((i + 4)), $((i + 10))]}"
done | akin feedback c --file - > /dev/null
akin learn c solis-ada
akin learn c loreta-psd
akin learn c --rollback 0 --quiet
# Held-out queries choose.
akin learn c
cmp c/versions/2.safetensors c/versions/3.safetensors && echo same
# Weights cannot make of a measure what it says the opposite of.
for i in 0 2 4 6 8 10 12; do
    echo "{\"user\": \"anna\", \"query\": $i, \"good\": [$((i + 5)), $((i + 7))], \"bad\": [$((i + 6)), $((i + 8))]}"
done | akin feedback c --file - > /dev/null
akin learn c --user anna
akin check c
