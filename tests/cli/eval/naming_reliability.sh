# Names of probability 0.9 and 0.95 (two of three right), and 0.35 (wrong): the
# calibration error is (|2.75 - 2| + |0.35 - 0|) / 4 = 0.275. A face without a
# name and one without a probability do not count.
printf 'photo,faces,names\na,0,Ann\nb,1,Ann\nc,2,Ann\nd,3,Ann\ne,4,Bob\nf,5,Bob\n' >c.csv
printf '0,Ann\n1,Ann\n2,\n3,\n4,Bob\n5,Bob\n' >t.csv
measure() {
    printf "face,photo,name,confidence,probability\n$1" >n.csv
    akin eval n.csv --task naming --captions c.csv --truth t.csv $2 2>&1
    echo "exit $?"
}
rest='3,d,Ann,1,0.35\n4,e,,1,0.6\n5,f,BOB,1,\n'
measure "0,a,Ann,1,0.9\n1,b,ann,1,0.95\n2,c,Ann,1,0.9\n$rest"
measure "0,a,Ann,1,0.9\n1,b,ann,1,0.95\n2,c,Ann,1,0.9\n$rest" --json
measure "0,a,Ann,1,1.01\n1,b,ann,1,0.95\n2,c,Ann,1,0.9\n$rest"
measure "0,a,Ann,1,-0.1\n1,b,ann,1,0.95\n2,c,Ann,1,0.9\n$rest"
measure "0,a,Ann,1,x\n1,b,ann,1,0.95\n2,c,Ann,1,0.9\n$rest"
