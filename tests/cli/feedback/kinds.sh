# A query from outside has features of one kind. Under a model of another kind
# it is passed over; what was said of items counts all the same.
source "$CASES/../images/pictures.bash"
pictures p 3 4
pictures q 1 1
akin images p --out c --words 40 --colours luv --quiet > /dev/null
akin train mahalanobis --data c/colours --out m --quiet > /dev/null 2>&1
akin feedback c --query q/k0/0.png --good k0/1.png --bad k1/1.png
for i in 0 1 2 3; do
    akin feedback c --query k0/$i.png --good k0/$(((i + 1) % 4)).png \
        --bad k2/$i.png,k1/$i.png
    akin feedback c --query k1/$i.png --good k1/$(((i + 1) % 4)).png \
        --bad k2/$i.png,k0/$i.png
done
learned() { akin learn c 2> /dev/null | cut -d: -f1; }
learned
akin images c --model m
learned
akin search c --image q/k0/0.png --top 1 | wc -l
akin learn c --rollback 0
learned
akin check c
# What was said of an item counts for its file.
akin feedback c --query k2/2.png --good k0/3.png --bad k2/3.png
akin search c --image p/k2/2.png --top 2 | cut -d' ' -f 2,5
akin search c --image p/k2/2.png --top 2 --feedback none | cut -d' ' -f 2,5
akin images c --model m
akin search c --image p/k2/2.png --top 2 | cut -d' ' -f 2,5
# Events with queries of both kinds come into another collection of the same
# items, whichever it is searched by; into one without colours comes nothing.
akin feedback c --query q/k0/0.png --good k0/2.png
akin feedback c --export all.jsonl
akin images p --out same --words 40 --colours luv --quiet > /dev/null
akin feedback same --import all.jsonl | tail -1
akin feedback same --export again.jsonl
cmp all.jsonl again.jsonl && echo same
akin images p --out plain --words 40 --quiet > /dev/null
akin feedback plain --import all.jsonl 2>&1; echo $?
akin feedback plain --list | wc -l
# Words of a text are known by name, not by their place.
mkdir d
for i in 1 2; do echo "river bank boat$i" > d/r$i; echo "money loan$i" > d/m$i; done
akin documents d --out one --quiet > /dev/null
akin feedback one --query 'river boat1' --good r2
akin feedback one --export text.jsonl
echo "aaa first words" > d/0
akin documents d --out two --quiet > /dev/null
akin feedback two --import text.jsonl
akin search two --text 'river boat1' --top 1 | cut -d' ' -f 5
akin feedback two --list | sed 's/.*"features"://'
