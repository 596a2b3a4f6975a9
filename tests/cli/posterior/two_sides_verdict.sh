# No plain measure compares rows of different columns; there is a figure for what
# was learned, and no verdict.
awk 'BEGIN { print "a,b,label" > "left.csv"; print "a,b,c,label" > "right.csv"
    for (i = 0; i < 40; ++i) {
        k = i % 2
        printf "%g,%g,%d\n", k + i % 5 / 9, 1 - k + i % 3 / 9, k > "left.csv"
        printf "%g,%g,%g,%d\n", k + i % 7 / 9, 1 - k, i % 4, k > "right.csv"
    }
}'
akin train logistic --data left.csv --right right.csv --out m.safetensors --quiet --json |
    grep -E '"(held_out|baseline|verdict|verdict_reason|better_plain)"'
