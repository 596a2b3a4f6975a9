mkdir d empty
printf '1,2\n3,4\n5,6\n' > d/a.csv
printf '1,2,3\n' > d/b.csv
try() { akin codebook "$@" > /dev/null; echo $?; }
try d --words 2 --out words --bags bags.svm
try d/a.csv --words 4 --out words
try d/a.csv --words 2
try d/a.csv --codebook d/a.csv --bags bags.svm
try none --out words
try empty --out words
try d/a.csv --words 2 --out words --names names.txt
akin codebook d/a.csv --words 2 --out words --quiet
try d/b.csv --codebook words --bags bags.svm
try d/a.csv --codebook words --words 3 --bags bags.svm
ls
