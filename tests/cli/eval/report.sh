printf "a 1:1\na 1:2\nb 1:4\nb 1:7\n" > a.svm
akin eval euclidean --data a.svm --task retrieval --report out --json > stdout
ls out
cmp stdout out/figures.json
grep -c "<svg" out/precision.svg
akin eval euclidean --data a.svm --task retrieval --report out > /dev/null
