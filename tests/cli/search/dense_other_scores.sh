printf "0,0,1\n1,0,1\n0,2,1\n3,3,0\n" > a.csv
akin index mahalanobis --data a.csv --out i > /dev/null
for by in dot cosine distance; do akin search i --queries a.csv --top 1 --score $by; done | cut -d" " -f1-3
