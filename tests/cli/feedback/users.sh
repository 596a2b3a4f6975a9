# Of red and blue cars and boats, anna wants the colour and bert the vehicle.
mkdir docs
for i in 1 2 3 4 5 6 7 8; do
    for what in red:boat red:car blue:boat blue:car; do
        echo "${what/:/ paint } wheel$((i % 3)) common noise$((i % 4))x n$i" \
            > docs/${what/:/-}-$i
    done
done
akin documents docs --out c --quiet 2> /dev/null
akin learn c --after 0 --quiet
say() { echo "{\"user\":\"$1\",\"query\":\"$2-$i\",\"good\":[\"$3-$j\",\"$3-$k\"],\"bad\":[\"$4-$j\",\"$4-$k\"]}"; }
for i in 1 2 3 4 5 6 7 8; do
    j=$((i % 8 + 1)) k=$(((i + 2) % 8 + 1))
    say anna red-car red-boat blue-car
    say anna blue-boat blue-car red-boat
    say bert red-boat blue-boat red-car
    say bert blue-car red-car blue-boat
done > events.jsonl
akin feedback c --file events.jsonl | tail -n 1
# What each of them adds to the shared model, here the measure without learning.
akin learn c --user anna
akin learn c --user bert --json
akin info c | tail -n 1
first() { akin search c --like $1-5 --where "name NOT LIKE '%-5'" --top 4 --feedback none "${@:2}" | cut -d' ' -f 5; }
echo $(first red-car --user anna)
echo $(first red-car --user bert)
# A user without a model has the shared one, as nobody has.
first red-car > shared
first red-car --user carl | cmp - shared && echo same
first red-car --user anna > annas
first red-car --version 1 | cmp - annas && echo same
akin learn c --versions
# The shared model changes; a user has the new one and their own weights.
akin learn c
akin learn c --user anna
akin learn c --versions
echo $(first red-car --user anna)
echo $(first red-car --user bert)
akin learn c --versions --user bert
# What ranks less well than the weights of the user does not replace them.
akin learn c oasis-diag --user anna
akin learn c oasis-diag --user anna --json | grep own
akin learn c --versions | grep anna
# The same events give the same bytes.
akin documents docs --out d --quiet 2> /dev/null
akin feedback c --export all.jsonl
akin learn d --after 0 --quiet
akin feedback d --import all.jsonl
akin learn d --user anna --quiet
cmp c/versions/1.safetensors d/versions/1.safetensors && echo same
# Back.
akin learn c --rollback 0 --user anna
first red-car --user anna > now
first red-car | cmp - now && echo same
akin learn c --rollback 1 --user anna --json
akin learn c --rollback 1
akin learn c --rollback 1 --user bert
akin learn c --rollback 3 --user anna
akin learn c --rollback 9 --user anna
akin learn c --user carl
akin learn c --user ''
akin learn c --user $(printf 'x%.0s' {1..300})
# Weights alone can be added.
akin learn c loreta-psd --user anna
akin learn c lmnn --user anna
ls c/versions | wc -l
akin check c
# A file that is gone.
mv c/versions/1.safetensors away
first red-car --user anna
first red-car | cmp - shared && echo same
akin check c
akin learn c --versions | grep lost
akin learn c --rollback 0 --user anna
akin check c && echo sound
akin learn c --rollback 1 --user anna
first red-car --user anna | cmp - shared && echo same
mv away c/versions/1.safetensors
akin learn c --rollback 1 --user anna
# Nothing is made of what does not help.
for i in 1 2 3 4 5 6 7 8; do
    j=$((i % 8 + 1)) k=$(((i + 2) % 8 + 1))
    say dora red-car red-boat blue-boat
    say dora red-car blue-boat red-boat
done | akin feedback c --file - --quiet > /dev/null
akin learn c --user dora
akin learn c --versions | grep dora
# What a user took back no longer counts.
for i in $(seq 32); do akin feedback c --undo $i --quiet; done
akin learn c --user anna
# By itself, from 20 events of a user on.
akin learn d --after 40 --quiet
for i in 1 2 3 4 5 6 7 8; do
    j=$(((i + 1) % 8 + 1)) k=$(((i + 3) % 8 + 1))
    say anna red-boat red-car blue-boat
    say anna blue-car blue-boat red-car
done > more.jsonl
akin feedback d --file more.jsonl | tail -n 1
akin learn d --versions
akin check d
# Figures that are nearly the same have more digits where one is better.
python3 -c "import sqlite3; c = sqlite3.connect('d/catalog.sqlite'); c.execute('UPDATE versions SET held_out = 0.79690003, incumbent = 0.7969 WHERE version = 3'); c.commit()"
akin learn d --versions --user anna | tail -n 1
# Against their version in use when learned, against the shared model in lists.
akin learn d --user bert
akin learn d solis-da --user bert
akin learn d qpao --user bert
akin learn d --versions --user bert
