#!/usr/bin/env python3
"""The queries of bench_index in SciPy and in akin, alternating.

    index_scipy.py BENCH_INDEX FOLDER [QUERIES]      [50]

`bench_index inverted ROWS DIM LAW FOLDER` writes FOLDER. SciPy has the tf-idf of
all rows as one matrix by columns, in float32. A query is the obvious code,
X[:, columns] @ values and the best 100 by argpartition. A second form adds up
the entries of those columns by bincount, which forms no matrix. akin has the
index as a mapped file. It has run each query once before, because its pages are
read and verified at first use. Each program runs ten queries before the next one
does, because all three evict each other from the caches. One thread, CPU
seconds. "same" is the share of the best 100 that both find. Prints one JSON line.
A million rows of 300 words take 10 GB.
"""
import json
import os
import subprocess
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from scipy import sparse

TOP = 100
TURN = 10


def load(folder, name):
    """Counts by rows, in float32."""
    with np.load(os.path.join(folder, name)) as z:
        return sparse.csr_matrix(
            (z["data"].astype(np.float32, copy=False), z["indices"],
             z["indptr"]), shape=tuple(z["shape"]))


def weigh(X, idf):
    """tf-idf of length one, in place."""
    sums = np.add.reduceat(X.data, X.indptr[:-1])
    per_row = np.diff(X.indptr)
    X.data /= np.repeat(sums, per_row)
    X.data *= idf[X.indices]
    squares = np.add.reduceat(X.data * X.data, X.indptr[:-1])
    X.data /= np.repeat(np.sqrt(squares), per_row)
    return X


def best_of(scores):
    best = np.argpartition(-scores, TOP)[:TOP]
    return best[np.argsort(-scores[best], kind="stable")]


def by_slices(X, cols, vals):
    return best_of(X[:, cols] @ vals)


def by_counts(X, cols, vals):
    parts = [slice(X.indptr[j], X.indptr[j + 1]) for j in cols]
    rows = np.concatenate([X.indices[p] for p in parts])
    data = np.concatenate([X.data[p] * v for p, v in zip(parts, vals)])
    return best_of(np.bincount(rows, weights=data, minlength=X.shape[0]))


def timed(search, *arguments):
    start = time.process_time()
    found = search(*arguments)
    return time.process_time() - start, found


def ask(akin, t):
    """Seconds of the processor, and the rows found."""
    akin.stdin.write(f"{t}\n")
    akin.stdin.flush()
    answer = akin.stdout.readline().split()
    return float(answer[0]), set(map(int, answer[2:]))


def main(bench, folder, asked):
    X, Q = load(folder, "rows.npz"), load(folder, "queries.npz")
    df = np.bincount(X.indices, minlength=X.shape[1])
    idf = np.log(X.shape[0] / np.maximum(df, 1)) * (df > 0)
    idf = idf.astype(np.float32)
    Q = weigh(sparse.csr_matrix((Q.data, Q.indices, Q.indptr),
                                (Q.shape[0], X.shape[1])), idf)
    X = weigh(X, idf).tocsc()
    akin = subprocess.Popen(
        [bench, "answer", os.path.join(folder, "tfidf.index"),
         os.path.join(folder, "queries.npz")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    seconds, same = [], 0
    asked = min(asked, Q.shape[0])
    for t in range(asked):
        ask(akin, t)
    queries = [(Q.indices[q], Q.data[q]) for q in
               (slice(Q.indptr[t], Q.indptr[t + 1]) for t in range(asked))]
    for begin in range(0, asked, TURN):
        turn = range(begin, min(begin + TURN, asked))
        mine = [ask(akin, t) for t in turn]
        slices = [timed(by_slices, X, *queries[t]) for t in turn]
        counts = [timed(by_counts, X, *queries[t]) for t in turn]
        for ours, theirs, third in zip(mine, slices, counts):
            seconds.append((ours[0], theirs[0], third[0]))
            same += len(set(theirs[1].tolist()) & ours[1])
    touched = sum(int(np.diff(X.indptr)[cols].sum()) for cols, _ in queries)
    akin.stdin.close()
    akin.wait()
    mine, slices, counts = np.median(seconds, axis=0)
    print(json.dumps({
        "bench": "index_scipy", "rows": X.shape[0], "postings": int(X.nnz),
        "postings_per_query": round(touched / len(seconds)),
        "akin_ms": round(1e3 * mine, 3),
        "slices_ms": round(1e3 * slices, 3),
        "bincount_ms": round(1e3 * counts, 3),
        "times_faster_than_slices": round(slices / mine, 1),
        "times_faster_than_bincount": round(counts / mine, 1),
        "same": same / (TOP * len(seconds))}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 50)
