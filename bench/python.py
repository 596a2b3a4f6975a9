"""What the Python package adds to the calls of the library.

    PYTHONPATH=build/python/src bench/python.py [--rows N] [--queries N]

One JSON line for each measurement: seconds of the package and of the same calls
of the C library, by the wall and of all processors, both the least of several
runs that take turns; the share that the package adds; and by how much the peak
of memory grew in one more call of the package, whose result has `result_bytes`.
"""
import argparse
import json
import resource
import time

import numpy as np

import akin
from akin._core import ffi, lib


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(name, package, library, result_bytes, times):
    """Let both take turns; report the least of each."""
    package(), library()
    before = peak()
    package()
    grown = peak() - before
    least = np.full((2, 2), np.inf)  # of package and library: wall, CPU
    for _ in range(times):
        for k, work in enumerate((package, library)):
            begin = time.perf_counter(), time.process_time()
            work()
            end = time.perf_counter(), time.process_time()
            least[k] = np.minimum(least[k], np.subtract(end, begin))
    added = least[0] / least[1] - 1
    print(json.dumps({
        "bench": "python", "case": name,
        "package_s": round(least[0, 0], 4), "library_s": round(least[1, 0], 4),
        "added": round(added[0], 4),
        "package_cpu_s": round(least[0, 1], 4),
        "library_cpu_s": round(least[1, 1], 4), "added_cpu": round(added[1], 4),
        "peak_growth_bytes": grown, "result_bytes": result_bytes}), flush=True)


def borrowed(ctx, X):
    """Rows over an array, by the call itself."""
    array = ffi.new("akin_dense_array *", lib.akin_default_dense_array)
    array.n, array.d = X.shape
    array.values = ffi.cast("void *", X.ctypes.data)
    array.row_step, array.column_step = X.strides
    out = ffi.new("akin_rows **")
    assert lib.akin_rows_borrow_dense(out, ctx, array) == lib.AKIN_OK
    return out[0]


def search(rows, queries, times, approximate):
    rng = np.random.RandomState(0)
    X = rng.randn(rows, 64).astype(np.float32)
    Q = rng.randn(queries, 64).astype(np.float32)
    index = akin.Index(X, approximate=approximate)
    ctx = ffi.new("akin_ctx **")
    lib.akin_ctx_new(ctx, ffi.NULL)

    def library():
        found, scores = ffi.new("int64_t **"), ffi.new("double **")
        options = ffi.new("akin_search_options *", lib.akin_default_search)
        made = borrowed(ctx[0], Q)
        assert lib.akin_index_search(found, scores, ctx[0], index._handle, made,
                                     options) == lib.AKIN_OK
        lib.akin_free(found[0])
        lib.akin_free(scores[0])
        lib.akin_rows_free(made)

    measure(f"search {queries} queries, {rows} rows, {index.kind}",
            lambda: index.search(Q, k=10), library, queries * 10 * 16, times)


def transform(rows, times):
    rng = np.random.RandomState(0)
    X = rng.randn(rows, 64).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0).astype(int) + 2 * (X[:, 2] > 0)
    learned = akin.LoretaPSD(rank=16, sample=20000, verdict="none").fit(
        X[:3000], y[:3000])
    ctx = ffi.new("akin_ctx **")
    lib.akin_ctx_new(ctx, ffi.NULL)
    model = learned._model

    def library():
        made = borrowed(ctx[0], X)
        ready, out = ffi.new("akin_rows **"), ffi.new("akin_rows **")
        assert lib.akin_model_prepare(ready, ctx[0], model, made,
                                      lib.AKIN_LEFT) == lib.AKIN_OK
        assert lib.akin_model_embed(out, ctx[0], model, ready[0],
                                    lib.AKIN_LEFT) == lib.AKIN_OK
        for rows in (out[0], ready[0], made):
            lib.akin_rows_free(rows)

    size = learned.transform(X[:10]).shape[1]
    measure(f"transform {rows} x 64 to {size}", lambda: learned.transform(X),
            library, rows * size * 4, times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--indexed", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5)
    a = parser.parse_args()
    search(a.indexed, a.queries, a.times, "none")
    if lib.akin_index_can(b"hnsw"):
        search(a.indexed, a.queries, a.times, "hnsw")
    transform(a.rows, a.times)


if __name__ == "__main__":
    main()
