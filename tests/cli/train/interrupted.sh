# The model so far is written, and an existing file is kept.
source "$CASES/../data.sh"
for i in 1 2; do
    timeout --foreground 20 akin train solis-ada --data rows.svm --sample 1e12 --out m \
        2> err.$i &
    started "examples [1-9]" err.$i $!
    kill -INT $!
    wait $!
    echo $?
    tail -n 1 err.$i
done
akin check m
akin check m.last
