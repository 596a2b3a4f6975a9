# The angle does not tell two circles apart; a plain distance does.
awk 'BEGIN {
    print "a,b,label"
    for (i = 0; i < 120; ++i) {
        r = 1 + i % 2
        printf "%.4f,%.4f,%s\n", r * cos(i * 2.4), r * sin(i * 2.4), i % 2 ? "out" : "in"
    }
}' > circles.csv
akin train solis-ada --data circles.csv --out m.safetensors --json --quiet |
    grep -A 4 better_plain
akin train solis-ada --data circles.csv --out m.safetensors | tail -n 1
akin train solis-ada --data circles.csv --out m.safetensors --verdict none | wc -l
akin train nca --data circles.csv --out m.safetensors --json --quiet |
    grep better_plain
