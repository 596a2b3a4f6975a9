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
printf 'a,label\n1,x\n2,x\n3,x\n' > one.csv
akin train auto --data one.csv --out m || echo $?
printf 'a,label\n1,x\n2,y\n3,z\n' > single.csv
akin train auto --data single.csv --out single.m | tail -2 | head -1
printf 'a,y\n1,0.5\n2,0.25\n3,1.5\n' > measured.csv
akin train auto --data measured.csv --out m || echo $?
test -e m || echo "no model"
try auto --dta points.csv
printf '0 1 1\n4 5 1\n' > matching
try auto --pairs matching
cut -d, -f1-2 points.csv > right.csv
try auto --right right.csv
try auto --right right.csv --pairs matching
printf 'size,color,label\n1,red,a\n2,blue,b\n' > text.csv
akin train auto --data text.csv --out m || echo $?
