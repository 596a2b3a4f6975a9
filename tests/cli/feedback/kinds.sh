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
