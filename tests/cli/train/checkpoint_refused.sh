# A checkpoint that does not fit is an error, and stays as it was.
source "$CASES/../data.sh"
kept="akin train logistic --data rows.svm --verdict none --checkpoint state --every 1"
$kept --max-iterations 200 --tol 0 --quiet --out m > /dev/null &
disown
until [ -e state ]; do sleep 0.02; done
while kill -9 $! 2> /dev/null; do sleep 0.02; done
cp state before
run() { "$@" --quiet --out m; echo $?; }
run $kept --max-iterations 100 --tol 0
run $kept --max-iterations 200 --tol 0 --seed 2
run $kept --max-iterations 200 --tol 0 --norm none
run akin train solis-ada --data rows.svm --checkpoint state
head -c 1000 before > state
run $kept --max-iterations 200 --tol 0
cp rows.svm state
run $kept --max-iterations 200 --tol 0
cmp rows.svm state
run akin train pca --data rows.svm --checkpoint new
run akin train auto --data rows.svm --checkpoint new
run akin train lda --data rows.svm --every 3
run akin train solis-ada --data rows.svm --checkpoint new --save-every 10
run akin train solis-ada --data rows.svm --checkpoint -
run akin train solis-ada --data rows.svm --checkpoint rows.svm
run akin train solis-ada --data rows.svm --checkpoint m
ls
