# --prior decides where the faces do not; what is wrong is told with its line.
printf '1,0,0\n0,1,0\n0,0,1\n1,1,0\n' > f.csv
printf 'photo,faces,names\np,0;1,Ann;Bob\nq,2,Cid\nr,3,Dora\n' > c.csv
give() {
    printf "$1" > w.csv
    akin name f.csv --captions c.csv --prior w.csv --named-count 2 --quiet \
        --out n.csv
    echo "exit $?"
}
given() { cut -d, -f1,3 n.csv | tail -n +2 | tr '\n' ' '; echo; }
give 'face,name,weight\n0,Ann,100\n2,Cid,0\n3,Dora,0\n'
given
give '0,Bob,100\n2,,1e6\n3,,1e6\n'
given
give '0,Ann,1\n0,Ann,2\n'
give 'face,name,weight\n0,Cid,1\n'
give '0,Ann,-1\n'
give '0,Ann,x\n'
give '0,Ann\n'
give '9,Ann,1\n'
give 'face,name\n0,Ann\n'
akin name f.csv --captions c.csv --prior none.csv --out n.csv
echo "exit $?"
