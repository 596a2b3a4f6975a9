. $CASES/../data.sh
akin tune perceptron --data rows.svm --trials 3 --out m --quiet --json | grep -E '"(measure|learner)"'
akin info m | grep -E "^kind|^learner"
akin train loreta-1 --task rank --rank 2 --data rows.svm --passes 3 --validate 0.3 --out n | wc -l
akin info n | grep "^kind"
