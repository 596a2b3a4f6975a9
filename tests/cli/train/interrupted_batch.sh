# Every learner that iterates over all examples keeps its best iterate. The runs
# go side by side, because a first line of progress takes a second.
source "$CASES/../data.sh"
akin synth bags --rows 1500 --dim 300 --words 30 --classes 5 --class-words 20 \
    --signal 0.3 --out many.svm --quiet > made
akin synth bags --rows 200 --dim 300 --words 30 --classes 5 --class-words 20 \
    --signal 0.3 --out few.svm --quiet > made
akin synth faces --photos 1500 --names 30 --dim 30 --captions c.csv \
    --truth t.csv --out f.npy --quiet > made

# run FOLDER LEARNER OPTION...: interrupt it once it has an iterate.
run() {
    mkdir $1
    akin train "${@:2}" --threads 1 --out $1/model 2> $1/err > $1/out &
    started "\(iterations\|sweeps\) [1-9]\|photos" $1/err
    kill -INT $!
    wait $!
    echo $? >> $1/out
    tail -n 1 $1/err >> $1/out
    akin check $1/model >> $1/out
}

many=1000000000
runs="arc-t asml hfa itml itml-cyclic lmnn lmnn-diag lr-svm mildml mms nca qpao
    rsl s2ml s3ml sdml svm-t symm"
run arc-t arc-t --data few.svm --max-iterations $many --tol 0 &
run asml asml --data f.npy --captions c.csv --outer 1000000 --eps 0 &
run hfa hfa --data few.svm --right few.svm --max-iterations $many \
    --max-sweeps 10 --tol 0 &
run itml itml --data few.svm --max-iterations $many --tol 0 &
run itml-cyclic itml --data few.svm --max-iterations $many --tol 0 \
    --solver cyclic &
run lmnn lmnn --data many.svm --max-iterations $many --tol 0 &
run lmnn-diag lmnn-diag --data many.svm --max-iterations $many --tol 0 &
run lr-svm lr-svm --data f.npy --captions c.csv --iterations 1000000 --eps 0 &
run mildml mildml --data f.npy --captions c.csv --iterations 1000000 --tol 0 &
run mms mms --data f.npy --captions c.csv --outer 1000000 --eps 0 &
run nca nca --data many.svm --max-iterations $many --tol 0 &
run qpao qpao --data many.svm --max-sweeps $many --tol 0 &
run rsl rsl --data many.svm --max-iterations $many --tol 0 &
run s2ml s2ml --data few.svm --max-iterations $many --solver paper &
run s3ml s3ml --data few.svm --max-iterations $many --solver paper &
run sdml sdml --data few.svm --max-iterations $many --tol 1e-14 --solver alm &
run svm-t svm-t --data few.svm --max-sweeps $many --tol 0 &
run symm symm --data few.svm --max-iterations $many --tol 0 &
wait
for i in $runs; do cat $i/out; done

# A learner without iterations has no model before it has all of it.
akin learners --json | python3 -c '
import json, sys
batch = {l["name"] for l in json.load(sys.stdin)["learners"]
         if l["trains"] and not l["online"]}
print(*sorted(batch - set(sys.argv[1].split())))' "$runs"
