source "$CASES/../data.sh"
try() { akin train cca --data rows.svm "$@" --quiet --out m || echo $?; }
printf '0 1 1\n' > one; printf '0 60 1\n' > far; printf '0 1 2\n' > wrong; : > none
sed 's/^[^ ]*/x/' rows.svm > unknown.svm; sed 's/^[^ ]* //' rows.svm > bare.svm
try --right rows.svm --pairs far
try --right rows.svm --pairs wrong
try --right rows.svm --pairs none
try --right unknown.svm --pairs all
try --right bare.svm --pairs all
try --right rows.svm --pairs one --reg 0
# One class on a side leaves nothing to learn.
sed 's/^[^ ]*/1/' rows.svm > one.svm
for learner in cca arc-t hfa; do
    for right in one bare; do
        akin train $learner --data rows.svm --right $right.svm --quiet --out m ||
            echo $?
    done
done
akin train hfa --data one.svm --right one.svm --quiet --out m || echo $?
akin train hfa --data rows.svm --quiet --out m || echo $?
# No example is drawn.
for learner in cca arc-t hfa svm-t; do
    akin train $learner --data rows.svm --sample 3 --quiet --out m || echo $?
done
# A rank that no side has, and options of a kernel without one.
for learner in rsl arc-t; do
    akin train $learner --data rows.svm --rank 500 --quiet --out m || echo $?
    akin train $learner --data rows.svm --gamma 2 --quiet --out m || echo $?
done
akin train svm-t --data rows.svm --support 9 --quiet --out m || echo $?
