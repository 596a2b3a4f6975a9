# Start, passes and recipe are searched too, and are part of the line `best:`.
source "$CASES/../data.sh"
for seed in 1 13; do
    akin tune solis-da --data rows.svm --sample 300 --trials 16 --seed $seed --quiet --out a |
        sed -n 's/^best: akin/akin/p' > command
    cp a b
    eval "$(cat command)" > said 2>&1
    cmp a b
    grep -oE -- "--(passes|weights|scale|norm|start) [a-z0-9-]+" command
done
