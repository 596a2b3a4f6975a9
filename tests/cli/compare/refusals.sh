source "$CASES/../points.sh"
try() { akin compare "$@" --quiet || echo $?; }
try --data points.csv lad
try --data points.csv fused
try --data points.csv svm-t --for search
try --data points.csv --effort 6
try --data points.csv --label-column none
try --data points.csv --test none.csv
try --data points.csv --for sorting
try --data points.csv --tune -1
cut -d, -f1-3 points.csv > bare.csv
try --data points.csv --test bare.csv
