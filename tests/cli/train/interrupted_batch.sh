# A batch learner writes its best iterate. That every one of them keeps it is
# tested in tests/unit/test_learn_conformance.c, without a clock.
source "$CASES/../data.sh"
akin synth faces --photos 100 --names 10 --dim 10 --captions c.csv \
    --truth t.csv --out f.npy --quiet > made

# run NAME LEARNER OPTION...: interrupt it once it has an iterate.
run() {
    timeout --foreground 20 akin train "${@:2}" --threads 1 --out $1 2> $1.err > $1.out &
    started "\(sweeps\|photos\) [1-9]" $1.err $!
    kill -INT $!
    wait $!
    echo $?
    tail -n 1 $1.err
    akin check $1
}

run metric itml --data rows.svm --max-iterations 1000000000 --tol 0 \
    --solver cyclic
run captions asml --data f.npy --captions c.csv --outer 1000000 --eps 0
