# Eight sectors of a circle, in turn of one label and the other. No direction tells
# them apart; the nearest row does, so it counts most.
awk 'BEGIN { print "x,y,label"
             for (i = 0; i < 160; ++i) {
                 a = 0.0393 * i + 0.3
                 print cos(a) + 0.1 "," sin(a) "," (int(i / 20) % 2 ? "odd" : "even")
             } }' > circle.csv
for blend in -1 0; do
    akin train cca --data circle.csv --blend $blend --quiet --json --out m |
        grep '"verdict"'
    akin info m --json | grep -E '"(kind|option.blend)"'
done
