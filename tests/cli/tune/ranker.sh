. $CASES/../data.sh
akin tune perceptron --data rows.svm --trials 3 --out m --quiet --json 2>/dev/null | grep -E '"(measure|learner)"'
akin info m | grep -E "^kind|^learner"
akin train loreta-1 --task rank --rank 2 --data rows.svm --passes 3 --validate 0.3 --out n 2>/dev/null | wc -l
akin info n | grep "^kind"
