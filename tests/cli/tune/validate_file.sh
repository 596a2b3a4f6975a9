source "$CASES/../data.sh"
akin split rows.svm --by-class --out a.svm b.svm > /dev/null
akin tune solis-ada --data a.svm --validate b.svm --dim 200 --sample 500 --trials 2 --quiet --out m | head -1
