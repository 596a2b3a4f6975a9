source "$CASES/../data.sh"
for i in 0 1 2 3 4 5 6 7 8 9; do for j in 10 20 30 40 50; do
    echo $i $((i + j)) $(( (i + j) % 2 * 2 - 1 )); done; done > pairs.txt
for i in 0 1 2 3 4 5 6 7 8 9; do for j in 10 20 30 40; do
    echo $i $((i + j)) $((i + j + 7)); done; done > triplets.txt
for more in "" "--pairs pairs.txt" "--triplets triplets.txt"; do
    akin compare solis-ada cosine --data rows.svm $more --quiet --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(r['measure'], *sorted({x['method'] for x in r['rows'] if x['score'] is not None}))"
done
