# A learner that takes all examples at once keeps its last iteration too.
source "$CASES/../data.sh"
akin synth bags --rows 1500 --dim 300 --words 30 --classes 5 --class-words 20 \
    --signal 0.3 --out rows.svm --quiet > made
for learner in nca lmnn-diag arc-t; do
    akin train $learner --data rows.svm --max-iterations 1000000 --tol 0 \
        --out $learner 2> $learner.err &
    started "iterations [1-9]" $learner.err
    kill -TERM $!
    wait $!
    echo $?
    tail -n 1 $learner.err
    akin check $learner
done
