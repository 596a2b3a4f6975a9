# --changes lists the faces whose name is another than before. Case and accents
# make no other name.
printf '1,0\n1,0.1\n0,1\n0.1,1\n' > f.csv
printf 'photo,faces,names\na,0,José\nb,1,José\nc,2,Bob\nd,3,Bob\n' > c.csv
run() {
    akin name f.csv --captions c.csv --real-name-ratio 1 --out n.csv "$@" 2>&1 |
        sed 's/, [^,]* m\{0,1\}s$//'
}
run
cp n.csv old.csv
run --changes old.csv
sed 's/José/JOSE/' old.csv > capitals.csv
run --changes capitals.csv
printf 'face,name\n0,\n1,Eve\n2,bob\n' > other.csv
run --changes other.csv
run --changes other.csv --json | sed -n '/"changes"/,/\]/p'
