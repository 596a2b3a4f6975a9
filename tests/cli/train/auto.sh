source "$CASES/../points.sh"
akin train auto --data points.csv --effort 1 --quiet --out m --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(*r)
print(*r['candidates'][0])
print(r['best'] in r['candidates'], *r['baseline'], r['verdict'], r['measure'])
print(r['learner'] == r['best']['method'], r['held_out'] == r['best']['score'])"
akin info m | grep -c "^learner"
akin eval m --task knn --train points.csv --data points.csv 2> said | head -1 | cut -c1-5
