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
akin duplicates none
# What was said of items does not make them less alike.
akin feedback documents --query a --good b --bad c > /dev/null
akin feedback documents --query c --good b --bad a > /dev/null
akin duplicates documents --at-least 0.5 | head -2
