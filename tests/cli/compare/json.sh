source "$CASES/../points.sh"
akin compare --data points.csv --quiet --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(*r)
print(*r['rows'][0])
scores = [x['score'] for x in r['rows'] if x['status'] == 'ok']
print(scores == sorted(scores, reverse=True), r['measure'])
methods = {x['method'] for x in r['rows']}
print({'euclidean', 'cosine', 'nca', 'lda', 'mahalanobis'} <= methods)
print(all(x['model_bytes'] > 0 and x['seconds'] >= 0 for x in r['rows'] if x['status'] == 'ok'))"
