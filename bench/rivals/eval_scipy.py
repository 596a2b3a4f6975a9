#!/usr/bin/env python3
"""Mean average precision of sparse rows in SciPy: products of blocks of rows.

    eval_scipy.py FILE.svm [BLOCK]

bench_eval writes FILE.svm. Prints one JSON line, as bench_eval does.
"""
import json
import resource
import sys
import time

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.preprocessing import normalize


def average_precision(scores, relevant, query):
    order = np.argsort(-scores, kind="stable")
    hits = relevant[order[order != query]]
    if not hits.any():
        return np.nan
    ranks = np.flatnonzero(hits) + 1
    return np.mean(np.arange(1, len(ranks) + 1) / ranks)


def main():
    X, y = load_svmlight_file(sys.argv[1])
    block = int(sys.argv[2]) if len(sys.argv) > 2 else 256
    start = time.perf_counter()
    X = normalize(X).tocsr()
    Xt = X.T.tocsr()
    ap = []
    for begin in range(0, X.shape[0], block):
        scores = (X[begin:begin + block] @ Xt).toarray()
        for k, s in enumerate(scores):
            ap.append(average_precision(s, y == y[begin + k], begin + k))
    print(json.dumps({
        "bench": "eval_scipy", "rows": X.shape[0], "dim": X.shape[1],
        "nonzeros": X.nnz, "threads": 1,
        "seconds": round(time.perf_counter() - start, 3),
        "peak_rss_mib": resource.getrusage(
            resource.RUSAGE_SELF).ru_maxrss // 1024,
        "map": round(float(np.nanmean(ap)), 10)}))


if __name__ == "__main__":
    main()
