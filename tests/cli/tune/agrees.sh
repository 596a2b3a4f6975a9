# The chosen setting is not below the first by the held-out score, and the
# verdict agrees with the line of the best plain measure: no angle tells two
# rings apart, and the distance does.
awk -v OFS=, 'BEGIN { print "a,b,label"
    for (i = 0; i < 60; ++i) {
        r = i % 2 ? 1 : 3
        t = i * 0.7
        print r * cos(t) + 0.01 * (i % 7), r * sin(t), i % 2
    } }' > rings.csv
source "$CASES/../points.sh"
for given in "oasis-diag rings.csv" "lmnn rings.csv" "lmnn points.csv" "nca points.csv"; do
    set -- $given
    akin tune $1 --data $2 --trials 6 --quiet --json --out m 2> notes | python3 -c "
import json, sys
r = json.load(sys.stdin)
best, first, plain = r['best']['score'], r['trials'][0]['score'], r['best_plain']['score']
print('$1', '$2', best >= first, r['verdict'] != 'better' or best > plain,
      r['verdict'], r['baseline_measure'])"
    grep -o "is worse than [a-z]*" notes || true
done
