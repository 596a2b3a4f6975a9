"""Other methods for similarities between two kinds of rows, as JSON rows for
`akin reproduce rsl --beside FILE`: subspace alignment and two logistic
regressions.

usage: rsl_rivals.py DIR [--test DIR2] [--rounds N] > rivals.json

DIR has the layout of office_caltech10, mfeat or wiki_crossmodal. NumPy draws by
the same rules as akin, with its own random numbers. Needs NumPy and scikit-learn.
"""
import json
import os
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

OFFICE = {'amazon': 20, 'webcam': 8, 'dslr': 8}
TASKS = [('webcam', 'dslr'), ('amazon', 'dslr'), ('amazon', 'webcam'), ('dslr', 'webcam')]
VIEWS = {'mfeat': ('view76', 'view240', '76', '240'), 'wiki': ('text10', 'image128', 'text', 'image')}


def load(folder, name, labels):
    x = np.load(os.path.join(folder, name + '.npy')).astype(float)
    return x, np.loadtxt(os.path.join(folder, labels + '.csv'), dtype=int, skiprows=1)


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=1), 1e-300)[:, None]


def nearest(q, p, labels):
    return labels[np.argmax(unit(q) @ unit(p).T, axis=1)]


def row(dataset, table, task, method, measure, values, rounds=None):
    values = 100 * np.asarray(values)
    out = {'dataset': dataset, 'table': table, 'task': task, 'method': method, measure: values.mean(),
           'rounds': rounds or len(values)}
    if len(values) > 1:
        out['se'] = values.std(ddof=1) / np.sqrt(len(values))
    return out


# ---- pictures of three sources -------------------------------------------------


def prepare(x):
    x = np.sqrt(x / x.sum(1)[:, None])
    x = x - x.mean(0)
    return x / np.sqrt((x ** 2).sum(1).mean())


def draw(y, each, rng):
    return np.concatenate([rng.permutation(np.flatnonzero(y == c))[:each] for c in np.unique(y)])


def bases(x, k):
    return np.linalg.svd(x, full_matrices=False)[2][:k].T


def align(xs, xt, k=20):
    """Subspace alignment: the source's principal directions are turned into the target's."""
    p, q = bases(xs, k), bases(xt, k)
    return p @ (p.T @ q), q


def office(folder, rounds):
    data = {}
    for name in OFFICE:
        x, y = load(folder, name + '_surf800', name + '_labels')
        data[name] = prepare(x), y
    rows = []
    for s, t in TASKS:
        (xs, ys), (xt, yt) = data[s], data[t]
        got = {}
        for r in range(rounds):
            rng = np.random.default_rng(r)
            a, b = draw(ys, OFFICE[s], rng), draw(yt, 3, rng)
            rest = np.setdiff1d(np.arange(len(yt)), b)

            def put(method, guess):
                got.setdefault(method, []).append(np.mean(guess == yt[rest]))
            to_s, to_t = align(xs, xt)
            put('subspace alignment', nearest(xt[rest] @ to_t, np.r_[xs[a] @ to_s, xt[b] @ to_t],
                                              np.r_[ys[a], yt[b]]))
            both = LogisticRegression(C=10, max_iter=1000).fit(np.r_[xs[a], xt[b]], np.r_[ys[a], yt[b]])
            put('logistic, both', both.predict(xt[rest]))
            own = LogisticRegression(C=10, max_iter=1000).fit(xt[b], yt[b])
            put('logistic, target', own.predict(xt[rest]))
        rows += [row('office', 'known classes', f'{s}>{t}', m, 'accuracy', v) for m, v in got.items()]
    return rows


# ---- views of the same things ---------------------------------------------------


def precisions(s, yq, yd):
    """The average precision of each query."""
    out = []
    for scores, label in zip(s, yq):
        hits = np.flatnonzero(yd[np.argsort(-scores, kind='stable')] == label)
        out.append(np.mean(np.arange(1, len(hits) + 1) / (hits + 1)))
    return out


def mean_ap(s, yq, yd):
    return np.mean(precisions(s, yq, yd))


def area(s, yq, yd):
    match = (yq[:, None] == yd).ravel()
    order = np.argsort(s.ravel(), kind='stable')
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    n = match.sum()
    return (ranks[match].sum() - n * (n + 1) / 2) / n / (len(match) - n)


def posteriors(train, labels, rows, C):
    """Of each view: logistic regression of standardised columns."""
    out = []
    for x, q in zip(train, rows):
        mean, scale = x.mean(0), x.std(0) + 1e-9
        m = LogisticRegression(C=C, max_iter=3000).fit((x - mean) / scale, labels)
        out.append(m.predict_proba((q - mean) / scale))
    return out[0] @ out[1].T


def choose(train, labels):
    """The weight that is best on every fourth row to learn from, kept out."""
    kept = np.arange(len(labels)) % 4 == 3

    def score(C):
        s = posteriors([x[~kept] for x in train], labels[~kept], [x[kept] for x in train], C)
        return mean_ap(s, labels[kept], labels[kept]) + mean_ap(s.T, labels[kept], labels[kept])
    return max([0.01, 0.1, 1, 10], key=score)


def views(folder, test):
    name = next(k for k, v in VIEWS.items() if os.path.exists(os.path.join(folder, v[0] + '.npy')))
    files, titles = VIEWS[name][:2], VIEWS[name][2:]
    train, rows = [], []
    for file in files:
        x, y = load(folder, file, 'labels')
        kept = np.arange(len(y)) % 4 == 3
        q, labels = load(test, file, 'labels') if test else (x[kept], y[kept])
        train.append(x if test else x[~kept])
        rows.append(q)
    y = y if test else y[~kept]
    s = posteriors(train, y, rows, choose(train, y))
    method = 'two logistic regressions'
    return [row(name, 'retrieval', f'{titles[0]}>{titles[1]}', method, 'map', precisions(s, labels, labels), 1),
            row(name, 'retrieval', f'{titles[1]}>{titles[0]}', method, 'map', precisions(s.T, labels, labels), 1),
            row(name, 'retrieval', 'all pairs', method, 'auc', [area(s, labels, labels)])]


def main(args):
    test = args[args.index('--test') + 1] if '--test' in args else None
    rounds = int(args[args.index('--rounds') + 1]) if '--rounds' in args else 10
    here = os.path.exists(os.path.join(args[0], 'amazon_surf800.npy'))
    rows = office(args[0], rounds) if here else views(args[0], test)
    json.dump({'rows': rows}, sys.stdout, indent=1)
    print()


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
