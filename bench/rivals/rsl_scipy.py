"""SciPy's L-BFGS-B on the factors of W = A B' beside rsl: the same rows, pairs,
objective and gradient norm, one thread, seconds of the processor, in turn.

  rsl_scipy.py BENCH_RSL [STARTS [LAMBDA]]

Starts that do not come within 1e-6 of the best objective are counted and left
out of the time. rsl is timed from its spectral start, and from random ones.
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
    z = y * np.sum(a * b, 1)
    c = -y / (1 + np.exp(z)) / N
    AA, BB = A.T @ A, B.T @ B
    J = np.logaddexp(0, -z).mean() + lam / 2 * np.sum(AA * BB)
    gA = X.T @ (c[:, None] * b) + lam * A @ BB
    gB = Y.T @ (c[:, None] * a) + lam * B @ AA
    return J, np.concatenate([gA.ravel(), gB.ravel()])


def rival(start, args, tol):
    """Stops at a gradient of `tol` of the first one, as rsl does."""
    first = np.linalg.norm(objective(start, *args)[1])
    from_ = time.process_time()
    r = minimize(objective, start, args=args, jac=True, method="L-BFGS-B",
                 options=dict(maxiter=20000, maxfun=40000, ftol=0, maxcor=20,
                              gtol=tol * first / np.sqrt(len(start))))
    return time.process_time() - from_, r.fun


def main(bench, starts=9, lam=2e-4):
    starts = int(starts)
    with tempfile.TemporaryDirectory() as folder:
        X, Y, y = plant(folder)
        ours = json.loads(subprocess.run(
            [bench, "dense", folder, str(starts), str(lam)], check=True,
            capture_output=True, text=True).stdout)
    args = (X, Y, y, ours["lambda"])
    best = min(ours["objectives"])
    rng = np.random.default_rng(2)
    seconds, missed = [], 0
    for _ in range(starts):
        took, J = rival(0.3 * rng.standard_normal((D1 + D2) * RANK), args, 1e-6)
        if J <= best * (1 + 1e-6):
            seconds.append(took)
        else:
            missed += 1
    theirs = float(np.median(seconds)) if seconds else None
    print(json.dumps({
        "bench": "rsl", "what": "rival", "rival": "scipy-lbfgsb",
        "lambda": ours["lambda"], "starts": starts,
        "akin_missed": sum(J > best * (1 + 1e-6) for J in ours["objectives"]),
        "rival_missed": missed, "objective": best,
        "akin_seconds": ours["seconds"],
        "akin_random_seconds": ours["random_seconds"], "rival_seconds": theirs,
        "times_faster": theirs and round(theirs / ours["seconds"], 1)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
