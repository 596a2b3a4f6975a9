# what it remarks on so few rows before it refuses them is no matter
try() {
    akin reproduce rsl "$@" --quiet 2> said || echo $?
    grep -v warning: said >&2
}
mkdir empty
try --data empty
try --test empty
try --repeats 30
mkdir views other
for i in 0 1 2 3 4 5 6 7; do echo "$i,$((i % 3)),1"; done > rows.csv
akin convert rows.csv views/view76.npy --quiet
akin convert rows.csv views/view240.npy --quiet
printf 'class\n0\n0\n0\n1\n1\n1\n2\n2\n' > views/labels.csv
try --data views
printf 'class\n0\n0\n1\n1\n2\n2\n3\n4\n' > views/labels.csv
try --data views
try --data views --test empty
cp views/labels.csv other
cp views/view76.npy other
cut -d, -f1,2 rows.csv > few.csv
akin convert few.csv other/view240.npy --quiet
try --data views --test other
printf 'class\n0\n' > views/labels.csv
try --data views
