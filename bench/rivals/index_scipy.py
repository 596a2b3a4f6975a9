#!/usr/bin/env python3
"""The same queries as bench_index, by SciPy and by hnswlib itself.

    index_scipy.py inverted FOLDER
    index_scipy.py hnsw FOLDER

FOLDER is what bench_index left. Inverted: rows as a matrix by columns, a query
is the sum of its columns, slices of which are taken out; the best 100. hnsw:
the graph of hnswlib with the same links and effort. One JSON line each, as
bench_index prints them; times are those of the processor, on one thread.
"""
import json
import os
import sys
import time

import numpy as np


def tfidf(X, idf):
    from scipy import sparse
    X = X.astype(np.float64)
    X = sparse.diags(1.0 / np.maximum(X.sum(1).A1, 1e-300)) @ X @ idf
    norm = np.sqrt(X.multiply(X).sum(1).A1)
    return sparse.diags(1.0 / np.maximum(norm, 1e-300)) @ X


def inverted(folder):
    from scipy import sparse
    rows = sparse.load_npz(os.path.join(folder, "rows.npz"))
    queries = sparse.load_npz(os.path.join(folder, "queries.npz"))
    df = np.bincount(rows.indices, minlength=rows.shape[1])
    idf = np.where(df > 0, np.log(rows.shape[0] / np.maximum(df, 1)), 0.0)
    idf = sparse.diags(idf)
    columns = tfidf(rows, idf).astype(np.float32).tocsc()
    queries.resize(queries.shape[0], rows.shape[1])
    queries = tfidf(queries, idf).tocsr()
    seconds = []
    for t in range(min(50, queries.shape[0])):
        q = queries[t]
        start = time.process_time()
        scores = columns[:, q.indices] @ q.data
        best = np.argpartition(-scores, 100)[:100]
        best[np.argsort(-scores[best])]
        seconds.append(time.process_time() - start)
    print(json.dumps({
        "bench": "index_scipy", "rows": rows.shape[0], "postings": rows.nnz,
        "median_ms": round(1e3 * float(np.median(seconds)), 3)}))


def read_fvecs(path):
    a = np.fromfile(path, dtype=np.int32)
    return a.reshape(-1, a[0] + 1)[:, 1:].copy().view(np.float32)


def graph(folder):
    try:
        import hnswlib
    except ImportError:
        print(json.dumps({"bench": "hnswlib", "skipped": "no python3-hnswlib"}))
        return
    rows = read_fvecs(os.path.join(folder, "rows.fvecs"))
    queries = read_fvecs(os.path.join(folder, "queries.fvecs"))
    index = hnswlib.Index(space="l2", dim=rows.shape[1])
    index.init_index(max_elements=len(rows), M=16, ef_construction=200)
    index.set_num_threads(1)
    start = time.process_time()
    index.add_items(rows)
    built = time.process_time() - start
    index.set_ef(128)
    seconds = []
    for _ in range(5):
        start = time.process_time()
        found, _ = index.knn_query(queries, k=10)
        seconds.append(time.process_time() - start)
    hits = 0
    for q, f in zip(queries, found):
        gap = ((rows - q) ** 2).sum(1)
        hits += len(set(np.argsort(gap, kind="stable")[:10]) & set(f.tolist()))
    print(json.dumps({
        "bench": "hnswlib", "rows": len(rows), "dim": rows.shape[1],
        "build_seconds": round(built, 2),
        "queries_per_second": round(len(queries) / float(np.median(seconds))),
        "recall_at_10": hits / (10 * len(queries))}))


if __name__ == "__main__":
    {"inverted": inverted, "hnsw": graph}[sys.argv[1]](sys.argv[2])
