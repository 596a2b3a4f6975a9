# A folder of photos; then more, changed, moved, unreadable and crashing ones.
. "$CASES/../faces.sh"
paint_photos
head -c 60 photos/cat.png >photos/cut.png
paint photos/crash.png 40 13
echo text >photos/notes.md
# Beside a photo, but no files to read.
mkfifo photos/cat.txt photos/cat.png.xmp
show() {
    akin export c.akin --to csv --out tables --quiet
    cut -d, -f1-7 tables/faces.csv
}
run() { akin "$@" | sed 's/, [0-9.]* m\?s$//'; }
run faces photos --captions captions.csv --out c.akin
show
akin name c.akin --out names.csv --quiet
cut -d, -f1-3 names.csv
echo --- the same again, with more, a photo that changed and one that moved
rm photos/crash.png photos/cut.png
mkdir more
paint more/cat2.png 90 50 10,40,248,12,236
paint photos/ann_bob.png 130 60 12,30,250,10,10
mv photos/cat.png photos/2019/
run faces c.akin --add photos --captions captions.csv
run faces c.akin --add more --captions <(printf 'photo,names\ncat2.png,Cat\n')
show
akin search c.akin --like '2019/cat.png#1' --top 1
akin check c.akin
