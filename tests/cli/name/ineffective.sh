# What would have no effect is refused.
printf '1,0\n1,0.1\n0,1\n' >f.csv
printf '0\n1\n0\n' >l.csv
printf 'photo,faces,names\na,0;1,Ann;Bob\nb,2,Ann\n' >c.csv
printf '0 2 0.5\n' >a.txt
printf '# none\n\n' >e.txt
try() {
    akin name f.csv --captions c.csv --method kernel --out n.csv "$@"
}
try --labels l.csv || true
try --affinity-file a.txt, || true
try --affinity-file ,a.txt || true
try --affinity-file a.txt --affinity-weight 0.1,0.2 || true
try --affinity-file e.txt
