"""SciPy's L-BFGS-B on the factors of W = A B', compared with rsl: the same rows,
pairs, objective and gradient norm, one thread, CPU seconds, alternating.

  rsl_scipy.py BENCH_RSL [STARTS [LAMBDA]]

Starts that do not come within 1e-6 of the best objective are counted, and their
time is left out. rsl is timed from its spectral start and from random starts.
Both end at the first point whose gradient is 1e-6 of that of the start. Then
SciPy starts where rsl ended and runs as far as it can: "rival_lowers" is the share
of the objective by which it improves.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
from scipy.optimize import minimize

N, D1, D2, RANK = 5000, 50, 100, 5


def plant(folder):
    rng = np.random.default_rng(1)
    X = (rng.standard_normal((N, D1)) / np.sqrt(D1)).astype(np.float32)
    Y = (rng.standard_normal((N, D2)) / np.sqrt(D2)).astype(np.float32)
    U = rng.standard_normal((D1, RANK))
    V = rng.standard_normal((D2, RANK))
    f = np.sum((X @ U) * (Y @ V), 1) + rng.standard_normal(N)
    y = np.where(f > 0, 1, -1)
    np.save(os.path.join(folder, "left.npy"), X)
    np.save(os.path.join(folder, "right.npy"), Y)
    with open(os.path.join(folder, "pairs.txt"), "w") as out:
        for i, sign in enumerate(y):
            out.write(f"{i} {i} {sign}\n")
    return X.astype(float), Y.astype(float), y


def objective(x, X, Y, y, lam):
    """J and its gradient by both factors."""
    A, B = x[:D1 * RANK].reshape(D1, RANK), x[D1 * RANK:].reshape(D2, RANK)
    a, b = X @ A, Y @ B
    z = y * np.einsum("ij,ij->i", a, b)
    e = np.exp(-np.abs(z))
    c = -y * np.where(z < 0, 1, e) / (1 + e) / N
    AA, BB = A.T @ A, B.T @ B
    J = (np.log1p(e) - np.minimum(z, 0)).mean() + lam / 2 * np.sum(AA * BB)
    gA = X.T @ (c[:, None] * b) + lam * A @ BB
    gB = Y.T @ (c[:, None] * a) + lam * B @ AA
    return J, np.concatenate([gA.ravel(), gB.ravel()])


OPTIONS = dict(maxiter=20000, maxfun=40000, ftol=0, gtol=0)


class Reached(Exception):
    pass


def rival(start, args, tol):
    """Stops at a gradient of `tol` of the first one, as rsl does."""
    stop = tol * np.linalg.norm(objective(start, *args)[1])
    last = [np.inf]

    def watched(x):
        last[0], g = objective(x, *args)
        if g @ g <= stop * stop:
            raise Reached
        return last[0], g

    from_ = time.process_time()
    try:
        minimize(watched, start, jac=True, method="L-BFGS-B", options=OPTIONS)
    except Reached:
        pass
    return time.process_time() - from_, last[0]


def lowers(folder, args):
    """By how much of J the rival improves on the factors that rsl wrote."""
    rows = np.loadtxt(os.path.join(folder, "factors.txt"))
    root = np.sqrt(np.linalg.norm(rows[:D1], axis=0))
    start = np.concatenate([(rows[:D1] / root).ravel(),
                            (rows[D1:] * root).ravel()])
    J = objective(start, *args)[0]
    r = minimize(objective, start, args=args, jac=True, method="L-BFGS-B",
                 options=OPTIONS)
    return (J - r.fun) / J


def rsl(bench, folder, starts, lam):
    return json.loads(subprocess.run(
        [bench, "dense", folder, str(starts), str(lam)], check=True,
        capture_output=True, text=True).stdout)


def main(bench, starts=9, lam=2e-4):
    starts = int(starts)
    rng = np.random.default_rng(2)
    runs, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        X, Y, y = plant(folder)
        args = (X, Y, y, float(lam))
        for i in range(starts):
            if i % 3 == 0:
                runs.append(rsl(bench, folder, starts, lam))
            start = 0.3 * rng.standard_normal((D1 + D2) * RANK)
            theirs.append(rival(start, args, 1e-6))
        lowered = lowers(folder, args)
    ours = {key: float(np.median([r[key] for r in runs]))
            for key in ("seconds", "random_seconds")}
    objectives = runs[0]["objectives"]
    best = min(objectives)
    seconds = [took for took, J in theirs if J <= best * (1 + 1e-6)]
    missed = starts - len(seconds)
    theirs = float(np.median(seconds)) if seconds else None
    print(json.dumps({
        "bench": "rsl", "what": "rival", "rival": "scipy-lbfgsb",
        "lambda": float(lam), "starts": starts,
        "akin_missed": sum(J > best * (1 + 1e-6) for J in objectives),
        "rival_missed": missed, "rival_lowers": lowered, "objective": best,
        "akin_seconds": ours["seconds"],
        "akin_random_seconds": ours["random_seconds"], "rival_seconds": theirs,
        "times_faster": theirs and round(theirs / ours["seconds"], 1),
        "times_faster_random":
            theirs and round(theirs / ours["random_seconds"], 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
