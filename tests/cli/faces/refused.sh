# What is wrong in one line, and nothing is left behind.
. "$CASES/../faces.sh"
paint_photos
try() { akin "$@" || echo "exit $?"; }
try faces photos
try faces --out c.akin
try faces photos --vectors x.npy --captions captions.csv --out c.akin
try faces missing --out c.akin
try faces photos --detector cnn --out c.akin
try faces photos --captions missing.csv --out c.akin
printf 'photo,caption\na,b\na,c\n' >twice.csv
try faces photos --captions twice.csv --out c.akin
printf 'photo,x,y,width,height\na,1,2,3,0\n' >boxes.csv
try faces photos --boxes boxes.csv --out c.akin
ls -d c.akin
printf '1,2\n3,4\n' >rows.csv
printf 'photo,faces,names\np,0,Ann\n' >short.csv
try faces --vectors rows.csv --captions short.csv --out c.akin
akin vectors rows.csv --out v.akin --quiet
try faces v.akin --add photos
try export v.akin --to xmp --out t
try name v.akin --out names.csv
akin faces photos --out c.akin --quiet
try name c.akin --out names.csv
try faces photos --out c.akin
try faces photos --out c.akin --force --strict --quiet
mkdir empty && cp photos/empty.png empty/
try faces empty --out none.akin --quiet
try info none.akin
try check none.akin
try search none.akin --like x
try name none.akin --out names.csv
mkdir nothing && mkfifo nothing/pipe.txt nothing/pipe.png
try faces nothing --out nothing.akin | sed 's/, [0-9.]* m\?s$//'
try faces photos --labels missing.csv --out new.akin
try faces photos --dim 3 --out new.akin
mkdir lone && cp photos/cat.png lone/
akin faces lone --captions <(printf 'photo,names\ncat.png,Cat\n') --out lone.akin --quiet
try name lone.akin --out names.csv
