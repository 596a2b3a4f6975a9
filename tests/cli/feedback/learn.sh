# Two kinds of documents share a frequent word; feedback says which words matter.
mkdir docs
for i in 1 2 3 4 5 6 7 8; do
    echo "common noise$((i % 3)) noise$((i % 4))x river water" > docs/r$i
    echo "common noise$((i % 3)) noise$((i % 4))x money loan" > docs/m$i
done
akin documents docs --out c --quiet 2> /dev/null
akin learn c
akin learn c --after 6
for i in 1 2 3 4 5; do
    akin feedback c --query r$i --good r$((i + 1)),r$((i + 2)) \
        --bad m$i,m$((i + 1)),m$((i + 3)) --quiet > /dev/null
done
akin learn c --versions
akin feedback c --query m1 --good m2,m4 --bad r1,r4,r3
akin learn c --versions
akin learn c
# The same events give the same bytes, in a collection of the same items.
akin documents docs --out d --quiet 2> /dev/null
akin feedback c --export events.jsonl
akin learn d --after 0 --quiet
akin feedback d --import events.jsonl
akin learn d --json
cmp c/versions/2.safetensors d/versions/1.safetensors && echo same
akin learn c --rollback 0
akin learn c --versions
akin learn c --rollback 9
akin learn c no-such-learner
akin learn c --rollback 2 --quiet
akin check c
# A search by an earlier version; nothing changes.
top() { akin search c --like r1 --top 4 --feedback none "$@" | cut -d' ' -f 4,5; }
top > now
top --version 2 | cmp - now && echo same
top --version 0 > plain
cmp -s now plain || echo other
top --model auto | cmp - plain && echo same
akin learn c --rollback 0 --quiet
top | cmp - plain && echo same
top --version 2 | cmp - now && echo same
akin search c --like r1 --version 7
akin search c --like r1 --version 1 --model cosine
akin search nowhere --like 1 --version 1
akin check c
