# Every kind of supervision: what is measured, and that a model comes of it.
source "$CASES/../points.sh"
python3 - <<END
for i in range(12):
    for j in range(i):
        print(i, j, 1 if i // 4 == j // 4 else -1, file=open("pairs.txt", "a"))
        for k in range(0, 12, 3):
            if i // 4 == j // 4 != k // 4:
                print(i, j, k, file=open("triplets.txt", "a"))
END
akin synth faces --photos 60 --names 4 --captions captions.csv --truth truth.csv --out faces.npy --quiet > /dev/null
try() { akin train auto "$@" --effort 1 --quiet --out m --json | python3 -c "
import json, sys
r = json.load(sys.stdin)
print(r['measure'], r['verdict'], sum(c['status'] == 'ok' for c in r['candidates']) > 3)
seen = [(c['method'], c['recipe'], str(c['params'])) for c in r['candidates']]
print(len(seen) == len(set(seen)))" && akin info m | grep -c ^kind; }
try --data points.csv
try --data points.csv --pairs pairs.txt
try --data points.csv --triplets triplets.txt
try --data points.csv --right points.csv
try --data faces.npy --captions captions.csv
akin train auto --data faces.npy --captions captions.csv --for search --out n || echo $?
test -e n || echo "no model"
