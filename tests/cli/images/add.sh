# Pictures that are there already are not taken twice.
source "$CASES/pictures.bash"
pictures p 2 3
akin images p/k0 --out c --words 20 --quiet | sed 's/, [0-9.]* m\?s$//'
akin images c --add p --quiet | sed 's/, [0-9.]* m\?s$//'
akin images c --add p --quiet | sed 's/, [0-9.]* m\?s$//'
akin search c --image p/k1/2.png --top 3 | cut -d' ' -f 1-3,5-
akin images c --add p --words 30
akin images p --out c --words 20
akin images p --out c --words 20 --force --quiet | sed 's/, [0-9.]* m\?s$//'
akin images p --out p
akin images p
akin images nothing --out d
mkdir e
akin images e --out d 2>&1 | sed "s|$PWD/||"
