# Models of distances search by examples and feedback as they are defined: by
# the mean of the examples, less half of the mean of the bad ones. With weights
# or expansion, and once something is learned, nothing is refused.
/usr/bin/python3 - <<'END'
import random
random.seed(1)
with open('x.csv', 'w') as rows, open('facts.csv', 'w') as facts:
    facts.write('name,label\n')
    for i in range(60):
        rows.write(','.join('%.3f' % random.gauss(3 * (j == i % 3), 1) for j in range(4)) + '\n')
        facts.write('i%d,c%d\n' % (i, i % 3))
END
head -1 x.csv | sed 's/,.*/,2,0,1/' > q.csv
akin vectors x.csv --fields facts.csv --out v --quiet > /dev/null
akin train mahalanobis --data v --out m --quiet > /dev/null 2>&1
akin vectors v --model euclidean
search() { akin search v --top 3 --json "$@"; }
search --like i0 > one
search --like i0,i3 --feedback mean > mean
search --like i0,i3 --unlike i1 --feedback mean > less
/usr/bin/python3 - <<'END'
import json
x = [[float(v) for v in line.split(',')] for line in open('x.csv')]
def check(name, q, hidden):
    d = sorted((sum((a - b) ** 2 for a, b in zip(row, q)), i) for i, row in enumerate(x) if i not in hidden)
    hits = json.load(open(name))['results'][0]['hits']
    print(name, [h['row'] for h in hits] == [i for _, i in d[:3]],
          all(abs(h['score'] + e) < 1e-4 for h, (e, _) in zip(hits, d)))
mean = [(a + b) / 2 for a, b in zip(x[0], x[3])]
check('one', x[0], {0})
check('mean', mean, {0, 3})
check('less', [a - b / 2 for a, b in zip(mean, x[1])], {0, 1, 3})
END
for model in euclidean m; do
    akin vectors v --model $model
    for method in none mean learn expand auto; do
        search --like i0,i3 --unlike i1 --feedback $method | grep -c '"name"'
    done
    akin feedback v --query i6 --good i9,i12 --bad i7
    akin feedback v --query q.csv --good i9 --bad i7
    akin search v --like i6 --top 60 | grep -c -w i7
    akin search v --queries q.csv --top 60 | grep -c -w i7
    akin learn v --quiet > /dev/null 2>&1; echo $?
    akin check v
done
