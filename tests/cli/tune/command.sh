# The line `best:` trains the same bytes again.
source "$CASES/../data.sh"
tune="akin tune solis-ada --data rows.svm --sample 500 --trials 3 --seed=3
    --clock=all --weights sqrt-idf --quiet"
eval "$($tune --out 'a b' | sed -n 's/^best: //p')" > said 2>&1
mv 'a b' again
$tune --out 'a b' --json | grep '"command"'
cmp again 'a b'
