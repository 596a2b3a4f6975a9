# By a model with the words of akin text.
source "$CASES/docs.bash"
akin text docs.csv --save-recipe words --out rows.svm --quiet > /dev/null
akin train perceptron --data rows.svm --recipe words --quiet --verdict none --out m > /dev/null
akin tag m --text "A motor with OIL" --top 1 | cut -d' ' -f1
akin tag m --text "cheese soup" --top 1 | cut -d' ' -f1
akin tag m --text "cheese soup" --json | grep label
akin tag m --text "zzz"
akin train logistic --data rows.svm --recipe words --quiet --verdict none --out l > /dev/null
akin tag l --text "cheese soup" | awk '{ s += $2 } END { print s }'
