# Labels that are whole numbers stay whole numbers in NumPy archives, and are
# printed as such; a leading zero, a fraction or several labels make texts.
type() { echo "$1 $(grep -ao "'descr': '[^']*'" "$1" | tail -n 1)"; }
printf "1 1:2\n9223372036854775807 2:1\n-3 1:1 2:4\n" > a.svm
akin convert a.svm a.npz --quiet > made && type a.npz
akin convert a.npz dense.csv --quiet > made
akin convert dense.csv --label-column label b.npz --quiet > made && type b.npz
akin embed euclidean --data b.npz --out c.npz --quiet > made && type c.npz
akin predict euclidean --data c.npz --train c.npz
for labels in '7 07' '7 1.5' '7 9223372036854775808' '7 1;2' '7 x'; do
    set -- $labels
    printf 'x,label\n1,%s\n2,%s\n' "$1" "$2" > d.csv
    akin convert d.csv --label-column label d.npz --quiet > made && type d.npz
    akin convert d.npz d.svm --quiet > made && cut -d ' ' -f 1 d.svm
done
