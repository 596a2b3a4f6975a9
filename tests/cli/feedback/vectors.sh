# A query of vectors from outside is a file of one row.
printf '1,0,0\n1,1,0\n0,1,0\n0,1,1\n0,0,1\n' > v.csv
printf 'a\nb\nc\nd\ne\n' > names.txt
akin vectors v.csv --names names.txt --out v --quiet > /dev/null
printf '3,1,0\n' > new.csv
akin search v --queries new.csv --top 3 | cut -d' ' -f 2,5
akin feedback v --query new.csv --good d --bad a
akin search v --queries new.csv --top 3 | cut -d' ' -f 2,5
akin feedback v --list | sed 's|"key":"[0-9a-f]*",||'
akin feedback v --query v.csv --good d
printf '3,1\n' > short.csv
akin feedback v --query short.csv --good d
akin feedback v --query nowhere.csv --good d
printf '1 0:1 2:2\n1 1:1 3:2\n' > s.svm
akin vectors s.svm --out s --quiet > /dev/null
printf '1 1:1 2:2\n' > new.svm
akin feedback s --query new.svm --good 0
akin feedback s --list | sed 's|"key":"[0-9a-f]*",||'
# An item is known by its features, also when they changed, while what was said
# of it counts; a collection of an earlier akin learns them when it is opened.
printf '1,0\n0,1\n0.9,0.1\n0.2,0.8\n' > known.csv
printf 'a\nb\nc\nd\n' > known.txt
akin vectors known.csv --names known.txt --out known --quiet > /dev/null
lists() { printf "%s\n" "$1" > query.csv; akin search known --queries query.csv --top 4 | grep -c -w c; }
akin feedback known --query a --good b --bad c
lists 1,0
lists 0.5,0.5
/usr/bin/python3 - <<'END'
import sqlite3
c = sqlite3.connect('known/catalog.sqlite')
c.executescript('DROP TABLE judged; PRAGMA user_version = 5')
END
lists 1,0
printf '0.5,0.5\n' > changed.csv
echo a > changed.txt
akin vectors known --add changed.csv --names changed.txt --quiet > /dev/null
lists 1,0
lists 0.5,0.5
akin feedback known --undo 1
lists 0.5,0.5
