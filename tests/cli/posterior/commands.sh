# What each command does with a logistic model.
source "$CASES/../points.sh"
akin train logistic --data points.csv --label-column label --out m.safetensors --json --quiet |
    python3 -c 'import json, sys
j = json.load(sys.stdin)
print(j["learner"], j["converged"], 0 <= j["gradient"] <= j["params"]["tol"])'
akin info m.safetensors | grep -E "^(kind|compare|dim|labels|parameters|recipe|gradient)" |
    sed 's/^gradient .*/gradient/'
akin check m.safetensors
akin convert m.safetensors rows.svm || echo $?
akin embed m.safetensors --data points.csv --out e.csv
awk -F, 'NR > 1 && ($1 + $2 + $3 < 0.999999 || $1 + $2 + $3 > 1.000001)' e.csv
printf "0 1\n0 4\n" > pairs
akin score m.safetensors --data points.csv --pairs pairs --exact | awk '{ print $1, $2, ($3 > 0.5) }'
akin index m.safetensors --data points.csv --out i --quiet
akin search i --queries points.csv --top 4 |
    awk '{ n += int($1 / 4) == int($3 / 4) } END { print n, "of", NR, "found rows are of the class" }'
akin search i --queries points.csv --top 4 --exact > found
akin score m.safetensors --data points.csv --pairs <(cut -d' ' -f1,3 found) --exact |
    paste -d' ' found - | awk '{ d = $4 - $7; far += d * d > 1e-10 } END { print far + 0, "scores differ" }'
# Contributions of features add up to the score, or to the logarithm of the
# probability.
sum() { awk '{ sum += $2 } END { printf "%.9f\n", sum }'; }
same() { awk -v a="$1" -v b="$2" 'BEGIN { print a != 0 && (a - b) ^ 2 < 1e-12 ? "same" : a " " b }'; }
printf "0 4\n" > pair
for by in dot cosine distance; do
    same $(akin explain m.safetensors --data points.csv --rows 0,4 --score $by --exact | sum) \
        $(akin score m.safetensors --data points.csv --pairs pair --score $by --exact | cut -d' ' -f3)
done
same $(akin explain m.safetensors --data points.csv --rows 0 --label y --exact | sum) \
    $(akin predict m.safetensors --data points.csv --top 3 --exact |
        awk '$1 == 0 && $2 == "y" { printf "%.9f", log($3) }')
# Learned on every second row, the others are told apart.
awk 'NR == 1 || NR % 2' points.csv > train.csv
awk 'NR == 1 || NR % 2 == 0' points.csv > test.csv
akin train logistic --data train.csv --label-column label --out m.safetensors --quiet
akin eval m.safetensors --data test.csv --task rank | head -1 | cut -d, -f1-3
akin eval m.safetensors --data test.csv --task retrieval | head -1 | cut -d, -f1,2
akin eval m.safetensors --data test.csv --task knn --train train.csv | head -1
