# The second part cannot be written: the first keeps its old file.
source "$CASES/../data.sh"
echo old > c.svm
akin split rows.svm --out c.svm no/d.svm; echo $?
printf '%s 1:1\n' 'a;b' b > odd.svm
akin split odd.svm --out c.svm d.csv; echo $?
cat c.svm
ls
