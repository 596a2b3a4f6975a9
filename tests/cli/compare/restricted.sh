source "$CASES/../points.sh"
for more in "" "--tune 3" "--test points.csv" "--labelled known" "--for search"; do
    akin compare nca euclidean --data points.csv $more --quiet --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
rows = [x for x in r['rows'] if x['score'] is not None]
print(r['measure'], *sorted({x['method'] for x in rows}))"
done
