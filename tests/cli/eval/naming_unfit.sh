# Names that do not fit captions and truth: refused, or remarked.
printf 'photo,faces,names\na,0;1,Ann;Bob\nb,2,Ann\n' >c.csv
printf '0,Ann\n1,Bob\n2,Ann\n3,Bob\n' >t.csv
measure() {
    printf "face,photo,name,confidence\n$1" >n.csv
    akin eval n.csv --task naming --captions c.csv --truth t.csv 2>&1
    echo "exit $?"
}
measure ''
measure '0,a,Ann,1\n1,a,Bob,1\n'
measure '0,b,Ann,1\n1,a,Bob,1\n2,b,Ann,1\n'
measure '0,a,Ann,1\n1,a,Ann,1\n2,b,Ann,1\n'
measure '0,a,Ann,abc\n1,a,Bob,1\n2,b,Ann,1\n'
measure '0,a,Ann,inf\n1,a,Eve,1\n2,b,Ann,1e300\n'
measure '0,a,Ann,1\n1,a,Bob,1\n2,b,,\n3,x,Bob,1\n'
: >t.csv
measure '0,a,Ann,1\n1,a,Bob,1\n2,b,Ann,1\n'
printf '0,Ann\n1,Bob\n2,Ann\n' >t.csv
printf '0,Ann\n1,Bob\n2,Ann\n' >n.csv
akin eval n.csv --task naming --captions c.csv --truth t.csv
