# Pictures that are there already are not taken twice.
source "$CASES/pictures.bash"
pictures p 2 3
akin images p/k0 --out c --words 20 | sed 's/, [0-9.]* m\?s$//'
akin images c --add p | sed 's/, [0-9.]* m\?s$//'
akin images c --add p | sed 's/, [0-9.]* m\?s$//'
akin search c --image p/k1/2.png --top 3 | cut -d' ' -f 1-3,5-
# Nor are those that have changed, which are looked at again; one is gone.
cp p/k1/2.png p/k0/0.png
rm p/k1/1.png
printf 'file,label\nk0/2.png,other\n' > labels.csv
akin images c --add p --labels labels.csv | sed 's/, [0-9.]* m\?s$//'
akin search c --like k1/2.png --top 1 | cut -d' ' -f 1-3,5-
akin images c --add p --words 30
akin images p --out c --words 20
akin images p --out c --words 20 --force | sed 's/, [0-9.]* m\?s$//'
akin images p --out p
akin images p
akin images nothing --out d
mkdir e
akin images e --out d 2>&1 | sed "s|$PWD/||"
