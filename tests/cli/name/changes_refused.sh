# An OLD.csv that is no earlier run of the same faces; nothing is written.
printf '1,0\n1,0.1\n0,1\n0.1,1\n' > f.csv
printf 'photo,faces,names\na,0,Ann\nb,1,Ann\nc,2,Bob\nd,3,Bob\n' > c.csv
run() {
    akin name f.csv --captions c.csv --out n.csv --changes "$@" 2>&1
    echo "exit $?"
}
refuse() {
    printf "$1" > old.csv
    run old.csv
}
run missing.csv
refuse ''
refuse 'who,what\n0,Ann\n'
refuse 'face,photo,name\n'
refuse 'face,photo,name\n0,a,Ann\n9,z,Eve\n'
refuse 'face,photo,name\n0,a,Ann\n1,z,Eve\n'
refuse '0,Ann\n0,Bob\n'
refuse '0,Ann,is-not\n'
refuse 'real_name_ratio,face,photo,name\n0.5,0,a,Ann\n'
refuse '0,\377\n'
refuse 'x'
run old.csv --curve
cp c.csv n.csv
run n.csv
ls n.csv
rm n.csv
ls
