# A catalogue that is damaged is not written to, and --force replaces it.
source "$CASES/pictures.bash"
pictures p 2 3
harmed() {
    rm -rf c
    akin images p --out c --words 20 --quiet > /dev/null
    "$@"
    cp c/catalog.sqlite before
    akin images c --add p
    akin images p --out c --words 20
    akin search c --like 0 > /dev/null
    cmp c/catalog.sqlite before
    akin images p --out c --words 6000 --force
    cmp c/catalog.sqlite before
    akin images p --out c --words 20 --force | sed 's/, [0-9.]* m\?s$//'
    akin check c | head -1
}
harmed truncate -s 0 c/catalog.sqlite
harmed cp p/k0/0.png c/catalog.sqlite
