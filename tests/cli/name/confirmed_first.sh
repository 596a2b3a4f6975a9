# What was said narrows the names that faces begin with: who is not Ann has no
# vote for her.
printf '1,0\n0,1\n1,0\n0,1\n' > f.csv
printf 'photo,faces,names\na,0,Ann;Bob\nb,1,Ann;Bob\nc,2,Ann;Bob\nd,3,Ann;Bob\n' > c.csv
printf '0 2 1\n1 3 1\n0 0 1\n1 1 1\n2 2 1\n3 3 1\n' > a.txt
printf '0,Ann,is-not\n1,Bob,is-not\n' > said.csv
akin name f.csv --captions c.csv --method kernel --affinity-file a.txt \
    --affinity-weight 1 --confirmed said.csv --out n.csv >/dev/null
cut -d, -f1-3 n.csv
