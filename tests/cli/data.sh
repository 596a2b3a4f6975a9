# What cases share: rows.svm, 60 rows of 3 classes.
akin synth bags --rows 60 --dim 200 --words 30 --classes 3 --class-words 20 \
    --out rows.svm >/dev/null

# interrupt PID SIGNAL: send it once akin listens, until akin is gone.
interrupt() {
    until [ $((0x$(awk '/SigCgt/ { print $2 }' /proc/$1/status) & 0x4000)) -ne 0 ]; do
        sleep 0.05
    done
    while kill -$2 $1 2>/dev/null; do sleep 0.1; done
}

# started WORD FILE PID: wait until a line of progress in FILE has the word, or
# process PID is gone.
started() {
    until grep -qs "$1" "$2" || ! kill -0 $3 2>/dev/null; do sleep 0.05; done
}

# right_and_swapped: triplets of rows.svm, the files right and swapped.
right_and_swapped() {
    local i j
    for i in $(seq 0 59); do
        for j in 3 6 9 12; do
            echo "$i $(((i + j) % 60)) $(((i + j + 1) % 60))"
        done
    done > right
    awk '{ print $1, $3, $2 }' right > swapped
}
