# A run that is killed, and one that is interrupted, are continued by the same
# command to the bytes of one run.
source "$CASES/../data.sh"
train="akin train loreta-psd --data rows.svm --quiet --rank 5 --sample 400000 --verdict none"
kept="$train --checkpoint state --every 2000"
$train --out whole
for signal in KILL TERM INT; do
    $kept --out m > /dev/null 2>&1 &
    disown
    old=$(stat -c %Y.%s.%i state 2>&1)
    until [ -e state ] && [ "$(stat -c %Y.%s.%i state 2>&1)" != "$old" ]; do sleep 0.02; done
    while kill -$signal $! 2> /dev/null; do sleep 0.05; done
    [ -e state ] && echo "state after $signal"
done
rm -f m m.last*
$kept --json --threads 1 --out m > json
grep -q '"continued_at": [1-9]' json && echo continued
cmp m whole && ls
$kept --json --out m | grep -o '"continued_at": 0'
