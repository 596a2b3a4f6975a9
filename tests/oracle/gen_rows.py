"""Golden cases about rows and rankings, by slow and obvious references.

    gen_rows.py OUT_DIR
"""
import json
import math
import os
import sys

import numpy as np


def tf_idf(counts, l2):
    """tf = count / total, idf = ln(N / df) and 0 where df = 0."""
    n, d = len(counts), len(counts[0])
    df = [sum(row[j] > 0 for row in counts) for j in range(d)]
    idf = [math.log(n / f) if f else 0.0 for f in df]
    X = []
    for row in counts:
        total = sum(row)
        x = [c / total * w if total else 0.0 for c, w in zip(row, idf)]
        norm = math.sqrt(sum(v * v for v in x))
        X.append([v / norm for v in x] if l2 and norm else x)
    return {"X": X, "idf": idf}


def ranking(rows, w, query, relevant):
    """Scores, and the average precision of all rows, ties by number."""
    scores = [sum(a * b * c for a, b, c in zip(w, rows[query], row))
              for row in rows]
    order = sorted(range(len(rows)), key=lambda i: (-scores[i], i))
    hits, total = 0, 0.0
    for place, i in enumerate(order, 1):
        if relevant[i]:
            hits += 1
            total += hits / place
    return {"scores": scores, "ap": total / sum(relevant)}


def mahalanobis(X):
    """The inverse of the covariance, sums over n - 1."""
    mean = [sum(col) / len(X) for col in zip(*X)]
    C = [[sum((x[i] - mean[i]) * (x[j] - mean[j]) for x in X) / (len(X) - 1)
          for j in range(len(mean))] for i in range(len(mean))]
    return {"M": np.linalg.inv(C).tolist()}


def knn(train, labels, test, k, M):
    """Votes of the k nearest, ties in distance by number; a tie in votes goes
    to the class of the nearest among those that are tied."""
    d = len(M)
    chosen = []
    for x in test:
        def distance(row, x=x):
            z = [a - b for a, b in zip(row, x)]
            return sum(z[i] * M[i][j] * z[j]
                       for i in range(d) for j in range(d))

        near = sorted(range(len(train)),
                      key=lambda i: (distance(train[i]), i))[:k]
        votes = [labels[i] for i in near]
        most = max(map(votes.count, votes))
        chosen.append(next(v for v in votes if votes.count(v) == most))
    return {"labels": chosen}


def sparse(x):
    on = [j for j, value in enumerate(x) if value]
    return {"i": on, "v": [float(x[j]) for j in on]}


def write(folder, name, algorithm, expected, **more):
    case = {"format": "akin-oracle/1", "name": name, "algorithm": algorithm,
            "params": {}, **more,
            "expected": expected, "required": list(expected),
            "tol": {"f64": {"abs": 1e-9, "rel": 1e-9}}}
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="ascii") as f:
        json.dump(case, f, separators=(",", ":"))
        f.write("\n")


def bags(rows):
    return {"dim": len(rows[0]), "vectors": [sparse(x) for x in rows]}


def write_tf_idf(folder, rng):
    counts = (rng.poisson(0.5, (9, 12)) * (rng.random((9, 12)) < 0.7)).tolist()
    for row in counts:
        row[3] = 0      # a word that never occurs
        row[7] += 1     # one that always does: idf 0
    counts[4] = [0] * 12
    for l2 in (False, True):
        write(folder, "tf-idf-l2" if l2 else "tf-idf", "tf-idf",
              tf_idf(counts, l2), params={"smooth": False, "l2": l2},
              **bags(counts))


def write_ranking(folder, rng):
    rows = (rng.integers(1, 2 ** 20, (15, 10)) * 2.0 ** -20
            * (rng.random((15, 10)) < 0.4)).tolist()
    rows[9] = rows[2]   # a tie that is not zero; rows without overlap tie at 0
    w = (rng.integers(-2 ** 20, 2 ** 20, 10) * 2.0 ** -20).tolist()
    relevant = [int(r < 0.4) for r in rng.random(15)]
    write(folder, "ranking", "diag-similarity", ranking(rows, w, 1, relevant),
          query=1, w=w, relevant=relevant, **bags(rows))


def write_metrics(folder, rng):
    X = rng.normal(size=(12, 4)).tolist()
    write(folder, "mahalanobis", "mahalanobis", mahalanobis(X),
          inputs={"X": X})
    train = rng.integers(-3, 4, (24, 3)).astype(float).tolist()
    test = rng.integers(-3, 4, (10, 3)).astype(float).tolist()
    labels = [int(y) for y in rng.integers(0, 3, 24)]
    plain = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    M = [[2.0, 0.5, 0.0], [0.5, 1.0, 0.25], [0.0, 0.25, 1.5]]
    write(folder, "knn-4", "knn", knn(train, labels, test, 4, plain),
          params={"k": 4}, inputs={"Xtr": train, "ytr": labels, "Xte": test})
    train = (rng.integers(-2 ** 12, 2 ** 12, (24, 3)) * 2.0 ** -10).tolist()
    test = (rng.integers(-2 ** 12, 2 ** 12, (10, 3)) * 2.0 ** -10).tolist()
    write(folder, "knn-metric", "knn", knn(train, labels, test, 3, M),
          params={"k": 3},
          inputs={"Xtr": train, "ytr": labels, "Xte": test, "M": M})


def main(folder):
    rng = np.random.default_rng(5)
    write_tf_idf(folder, rng)
    write_ranking(folder, rng)
    write_metrics(folder, rng)


if __name__ == "__main__":
    main(sys.argv[1])
