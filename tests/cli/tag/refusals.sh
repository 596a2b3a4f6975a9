source "$CASES/docs.bash"
akin text docs.csv --save-recipe words --out rows.svm --quiet > /dev/null
akin train loreta-psd --data rows.svm --recipe words --quiet --verdict none --out compares > /dev/null
akin train perceptron --data rows.svm --quiet --verdict none --out no_words > /dev/null
akin train perceptron --data rows.svm --recipe words --quiet --verdict none --out m > /dev/null
akin documents docs.csv --out c --quiet > /dev/null
akin documents docs.csv --label-column none --out unlabelled --quiet > /dev/null
try() { akin tag "$@"; echo $?; }
try compares --text soup
try no_words --text soup
try m --image a.jpg
try m --text soup --k 3
try m --text soup --model m
try m
try c --text soup --document x.txt
try c --image a.jpg
try c --document none.txt
try c --text soup --model compares
try unlabelled --text soup
try none --text soup
