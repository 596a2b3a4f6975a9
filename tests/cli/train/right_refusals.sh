source "$CASES/../data.sh"
try() { akin train "$@" --data rows.svm --quiet --out m || echo $?; }
try solis-ada --right-labels labels.csv
try solis-ada --pair-weights printed
try solis-ada --as-is --norm l2
