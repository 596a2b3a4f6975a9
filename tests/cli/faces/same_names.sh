# Photos of several folders with the same names; the folder tells them apart.
. "$CASES/../faces.sh"
mkdir -p one two/more/more three/more
for p in one two/more two/more/more three/more; do
    paint $p/p.png 80 60 20,30,250,236,$((${#p} % 9))
done
add() {
    akin faces c.akin --add $1 --captions <(printf "photo,names\np.png,$2\n") --quiet
}
akin faces one --captions <(printf 'photo,names\np.png,Ann\n') --out c.akin --quiet
add two/more Bob
add three/more Cat
add three/more Dora
table() {
    akin export c.akin --to csv --out t --quiet
    cut -d, -f1,3 t/faces.csv
    akin name c.akin --all --out names.csv --quiet
    cut -d, -f2,3 names.csv
}
table | sed "s,${PWD#/},HERE,"
echo --- one changed
paint two/more/p.png 90 60 20,30,250,236,12
add two/more Eve
table | sed "s,${PWD#/},HERE,"
akin check c.akin
