source "$CASES/../data.sh"
akin split rows.svm --out a.svm b.svm > /dev/null
akin split rows.svm --seed 2 --out c.svm d.svm > /dev/null
cmp -s a.svm c.svm || echo differ
akin split rows.svm --seed 1 --out c.svm d.svm > /dev/null
cmp a.svm c.svm
