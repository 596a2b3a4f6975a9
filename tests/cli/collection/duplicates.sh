# Items of the same content, and nearly the same, each group once.
source "$CASES/../images/pictures.bash"
pictures p 2 2
cp p/k0/0.png p/k1/copy.png
cp p/k0/0.png p/again.png
akin images p --out pictures --words 200 --quiet > /dev/null
akin duplicates pictures --at-least 1
akin duplicates pictures --at-least 0.2 | cut -d' ' -f1-3,5
akin remove pictures k0/0.png --quiet > /dev/null
akin duplicates pictures --at-least 1 --json | grep -v file
cat > docs.csv <<END
name,text
a,the engine of the car needs oil and a new filter before winter
b,bread and butter with cheese
c,the engine of the car needs oil and a new filter before summer
d,bread and butter with cheese
e,tomato soup
f,
g,
END
akin documents docs.csv --out documents --quiet > /dev/null
akin duplicates documents --at-least 0.5
printf '1,0\n0.999,0.001\n0,1\n1,0\n' > rows.csv
printf 'a\nb\nc\nd\n' > names.txt
akin vectors rows.csv --names names.txt --out vectors --quiet > /dev/null
akin duplicates vectors
akin duplicates vectors --at-least 2
akin duplicates vectors --at-least 0
akin duplicates vectors --at-least auto | tail -1
# Rows of large positive numbers point in similar directions: only a copy with
# little noise is near. A learned model, which draws items of a class together,
# has no say.
awk 'function next_number() { return (s = (s * 4005 + 1234) % 65536) / 65536 }
BEGIN {
    print "label,a,b,c,d,e,f,g,h"
    for (i = 0; i < 40; ++i) {
        line = "k" i % 2
        for (j = 0; j < 8; ++j)
            line = line "," (v[j] = 100 + 20 * next_number() + (j ? 0 : 50 * (i % 2)))
        print line
    }
    line = "k1"
    for (j = 0; j < 8; ++j)
        line = line "," v[j] + 0.05
    print line
}' > large.csv
akin vectors large.csv --out large --quiet > /dev/null
akin duplicates large
akin train lda --data large.csv --out lda --quiet > /dev/null
akin vectors large --model lda
akin duplicates large
akin duplicates none
# What was said of items does not make them less alike.
akin feedback documents --query a --good b --bad c > /dev/null
akin feedback documents --query c --good b --bad a > /dev/null
akin duplicates documents --at-least 0.5 | head -2
