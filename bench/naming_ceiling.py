"""What captions allow a namer at most: naming_ceiling.py FOLDER

FOLDER has captions.csv (photo,faces,names) and truth.csv (face,name), as news_naming
does. The namer here knows more than any program can: the truth of every other photo, and
exactly which faces show the same person. What is left are persons who are shown in one
photo only. For those it knows how many captions have each name, and how many faces and
names the photo has; how much that says is fitted to the truth of four fifths of the
photos and judged on the rest. Then it asks about the face whose answer it gains most
from, and about the next. Needs NumPy and SciPy.
"""
import csv
import heapq
import itertools
import math
import random
import sys
from collections import Counter

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix


def read(folder):
    with open(folder + "/captions.csv", newline="") as f:
        photos = [([int(x) for x in r["faces"].split(";") if x],
                   [x for x in r["names"].split(";") if x])
                  for r in csv.DictReader(f)]
    with open(folder + "/truth.csv", newline="") as f:
        return photos, {int(r["face"]): r["name"] for r in csv.DictReader(f)}


def features(way, new, known, faces, names, captions):
    """What a choice of names for the new faces looks like."""
    strangers, shown = new - len(way), len(way) + known
    out = [("strangers", min(strangers, 4)),
           ("strangers, faces", min(strangers, 3), min(faces, 4)),
           ("strangers, names, faces", min(strangers, 2), min(names, 5), min(faces, 3)),
           ("shown, names", min(shown, 5), min(names, 6)),
           ("all shown", shown == names, min(faces, 4))]
    for name in way:
        out += [("captions", min(captions[name], 6)),
                ("once, names", captions[name] == 1, min(names, 6))]
    return out


def undecided(photos, truth):
    """Photos with faces of persons who are shown nowhere else, as (truth of these faces,
    ways to name them, their features); how many other faces there are."""
    captions = Counter(q for faces, names in photos if faces for q in names)
    shown = Counter(q for q in truth.values() if q)
    number, out, decided = {}, [], 0
    for faces, names in photos:
        new = [truth[f] for f in faces if shown[truth[f]] <= 1]
        open_names = [q for q in names
                      if shown[q] == (1 if any(truth[f] == q for f in faces) else 0)]
        if not new or not open_names:
            decided += len(faces)
            continue
        known = len(faces) - len(new)
        decided += known
        ways = [w for j in range(min(len(new), len(open_names)) + 1)
                for w in itertools.combinations(open_names, j)]
        looks = [[number.setdefault(x, len(number)) for x in
                  features(w, len(new), known, len(faces), len(names), captions)]
                 for w in ways]
        out.append((new, ways, looks))
    return out, decided, len(number)


def fit(photos, count):
    """A conditional logit over the ways of each photo."""
    rows = [x for _, _, looks in photos for x in looks]
    A = csr_matrix((np.ones(sum(map(len, rows))), np.concatenate(rows),
                    np.cumsum([0] + [len(x) for x in rows])), (len(rows), count))
    offset = np.array([math.log(math.perm(len(new), len(w)))
                       for new, ways, _ in photos for w in ways])
    right = np.array([set(w) == {q for q in new if q}
                      for new, ways, _ in photos for w in ways], float)
    start = np.cumsum([0] + [len(ways) for _, ways, _ in photos])
    photo = np.repeat(np.arange(len(photos)), np.diff(start))

    def loss(w):
        s = A @ w + offset
        top = np.maximum.reduceat(s, start[:-1])
        e = np.exp(s - top[photo])
        Z = np.add.reduceat(e, start[:-1])
        value = right @ s - (np.log(Z) + top).sum() - w @ w / 2
        return -value, -(A.T @ (right - e / Z[photo])) + w

    return minimize(loss, np.zeros(count), jac=True, method="L-BFGS-B").x


def posterior(photo, w):
    new, ways, looks = photo
    s = np.array([w[x].sum() + math.log(math.perm(len(new), len(way)))
                  for way, x in zip(ways, looks)])
    p = np.exp(s - s.max())
    return list(zip(p / p.sum(), ways))


def best(ways, m):
    """Of m faces that nothing tells apart: how many are expected to be right, the names
    given, and the probabilities of each name and of none."""
    total, p = sum(q for q, _ in ways), Counter()
    for q, way in ways:
        for name in way:
            p[name] += q / total / m
    none = 1 - sum(p.values())
    given = [n for n, v in p.most_common(m) if v > none]
    return sum(p[n] for n in given) + (m - len(given)) * none, given, p, none


def right(ways, new):
    if not new:
        return 0
    m, given = len(new), best(ways, len(new))[1]
    return (sum(n in new for n in given) + (m - len(given)) * new.count("")) / m


def told(ways, m, answer):
    """After one of m faces was said to be `answer` ('' = nobody in the caption)."""
    if answer:
        return [(p / m, tuple(n for n in way if n != answer))
                for p, way in ways if answer in way]
    return [(p * (m - len(way)) / m, way) for p, way in ways if len(way) < m]


def gain(ways, m):
    if m == 0:
        return 0
    value, _, p, none = best(ways, m)
    after = 0
    for answer, q in [*p.items(), ("", none)]:
        if q > 1e-9:
            rest = best(told(ways, m, answer), m - 1)[0] if m > 1 else 0
            after += q * (1 + rest)
    return after - value


def main():
    photos, truth = read(sys.argv[1])
    open_photos, decided, count = undecided(photos, truth)
    order = np.random.default_rng(0).permutation(len(open_photos))
    folds, state, before = np.array_split(order, 5), [], decided
    draw = random.Random(0)
    for k, fold in enumerate(folds):
        rest = [open_photos[i] for j in range(5) if j != k for i in folds[j]]
        w = fit(rest, count)
        for i in fold:
            new = open_photos[i][0][:]
            draw.shuffle(new)
            state.append([posterior(open_photos[i], w), new])
            before += right(*state[-1])
    n = len(truth)
    print(f"{n} faces, {n - decided} of persons shown once; 0 answers: {before / n:.4f}")
    queue = [(-gain(ways, len(new)), i) for i, (ways, new) in enumerate(state)]
    heapq.heapify(queue)
    for k in range(1, 301):
        _, i = heapq.heappop(queue)
        ways, new = state[i]
        state[i] = [told(ways, len(new), new[-1]), new[:-1]]
        heapq.heappush(queue, (-gain(state[i][0], len(new) - 1), i))
        if k % 60 == 0:
            done = decided + k + sum(right(*s) for s in state)
            print(f"{k} answers: {done / n:.4f}")


if __name__ == "__main__":
    main()
