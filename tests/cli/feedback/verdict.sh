# Too few queries give no verdict; labels alone do.
printf 'id,text\na,apple pie\nb,banana apple\nc,cherry pie\nd,date banana\n' > r.csv
akin documents r.csv --out r --quiet 2> /dev/null
akin feedback r --query a --good b --bad c
akin learn r
akin learn r --json --quiet
akin feedback r --query d --good b --bad c
akin learn r
akin learn r --versions
mkdir -p docs/{river,money}
for i in 1 2 3 4 5 6 7 8; do
    echo "common noise$((i % 3)) noise$((i % 4))x river water" > docs/river/$i
    echo "common noise$((i % 3)) noise$((i % 4))x money loan" > docs/money/$i
done
akin documents docs --out c --quiet 2> /dev/null
akin learn c
# So does a single event beside them.
akin feedback c --query river/1 --good river/2 --bad money/1
akin learn c --json
akin check c
