source "$CASES/../points.sh"
try() { akin train "$@" --data points.csv --quiet --out m || echo $?; }
try auto --eta 0.1
try auto --as-published
try auto --scale minmax
try auto --resume m
try auto --validate 0.3
try auto --effort 0
try auto --triplets -
try auto --label-column none
try lda --effort 3
try atuo
test -e m || echo "no model"
