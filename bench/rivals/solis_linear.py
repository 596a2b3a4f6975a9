"""Linear learners of other programs, compared with the SOLIS update, on the same
vectors.

    solis_linear.py BENCH_SOLIS [DIM [REPETITIONS]]

bench_solis writes v = x * (x+ - x-) of 200 thousand triplets. A hinge on
"w.v > 1" is a linear classifier without intercept on the rows y v with labels
y of either sign. scikit-learn's SGDClassifier(loss='hinge', penalty='l1') makes
one pass over them. LIBLINEAR -s 6 (L1, logistic) runs to its default tolerance:
the command, including reading its file, and its solver alone as scikit-learn
calls it. Runs alternate; medians of CPU seconds. Prints one JSON line for each
learner of akin, with the ratios.
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import dump_svmlight_file
from sklearn.linear_model import LogisticRegression, SGDClassifier


def rows_of(folder, dim):
    """The vectors with random signs, and the signs."""
    offsets = np.fromfile(os.path.join(folder, "offsets.i64"), np.int64)
    cols = np.fromfile(os.path.join(folder, "cols.i32"), np.int32)
    vals = np.fromfile(os.path.join(folder, "vals.f64"), np.float64)
    y = np.random.RandomState(0).choice([-1.0, 1.0], len(offsets) - 1)
    vals = vals * np.repeat(y, np.diff(offsets))
    return csr_matrix((vals, cols, offsets), shape=(len(y), dim)), y


def sgd(X, y):
    model = SGDClassifier(loss="hinge", penalty="l1", alpha=1e-5, max_iter=1,
                          tol=None, shuffle=False, fit_intercept=False)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    return time.process_time() - start


def liblinear(path, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["liblinear-train", "-q", "-s", "6", path,
                    os.path.join(folder, "model")], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


def liblinear_solver(X, y):
    model = LogisticRegression(penalty="l1", solver="liblinear", C=1.0,
                               tol=0.01, fit_intercept=False)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    return time.process_time() - start


def ours(bench, folder, dim):
    lines = subprocess.run([bench, "update", folder, str(dim), "1"],
                           check=True, capture_output=True, text=True).stdout
    return {r["learner"]: r["seconds"]
            for r in map(json.loads, lines.splitlines())}


def main(bench, dim="1000000", repetitions="3"):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([bench, "vectors", "zipf", dim, folder], check=True)
        X, y = rows_of(folder, int(dim))
        path = os.path.join(folder, "rows.svm")
        dump_svmlight_file(X, y, path, zero_based=False)
        times = {"sgd": [], "liblinear": [], "liblinear_solver": []}
        for _ in range(int(repetitions)):
            for name, seconds in ours(bench, folder, dim).items():
                times.setdefault(name, []).append(seconds)
            times["sgd"].append(sgd(X, y))
            times["liblinear"].append(liblinear(path, folder))
            times["liblinear_solver"].append(liblinear_solver(X, y))
    median = {name: statistics.median(t) for name, t in times.items()}
    rivals = ["sgd", "liblinear", "liblinear_solver"]
    for name in sorted(set(median) - set(rivals)):
        print(json.dumps({
            "bench": "solis", "what": "update", "learner": name,
            "dim": int(dim), "vectors": X.shape[0], "nonzeros": int(X.nnz),
            "seconds": round(median[name], 4),
            **{f"{r}_seconds": round(median[r], 4) for r in rivals},
            **{f"times_faster_than_{r}": round(median[r] / median[name], 2)
               for r in rivals}}))


if __name__ == "__main__":
    main(*sys.argv[1:])
