# Six documents in a collection c.
mkdir docs
for i in 1 2 3 4 5 6; do
    echo "cat dog number$i house tree" > docs/d$i
done
akin documents docs --out c --quiet 2> /dev/null
