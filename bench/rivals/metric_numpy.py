#!/usr/bin/env python3
"""itml and lmnn in plain NumPy, compared with akin, on 900 digits: one JSON line
each.

    metric_numpy.py BENCH_METRIC [PAIRS]

Both use the same numbers and pairs, one thread, CPU seconds. The objective is
computed here, for both. NumPy runs to its end. akin is timed to an objective
within 1e-3 of that, with the fewest iterations that reach it (`times_faster`),
and to its own end, which is lower (`to_the_end`).

    itml   D(M, I) + sum over pairs on the wrong side of f(p / target),
           f(r) = r - log r - 1, p = v'M v; cyclic projections until the
           multipliers change by less than 1e-3, or a thousand sweeps
    lmnn   sum_ij D_ij / 2 + sum_ijl max(0, 1 + D_ij - D_il) / 2; projected
           gradient steps, longer after success, halved otherwise
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
from sklearn.datasets import load_digits

K, MU = 3, 0.5


def data():
    digits = load_digits()
    X = (digits.data[:900] / 16.0).astype(np.float32)
    return X.astype(np.float64), digits.target[:900]


# ---- itml -------------------------------------------------------------------

def draw_pairs(y, count, rng):
    """Half of them similar, none twice."""
    seen = {}
    while len(seen) < count:
        i, j = sorted(int(k) for k in rng.integers(len(y), size=2))
        same = y[i] == y[j]
        if i != j and sum(v == same for v in seen.values()) < count // 2:
            seen[i, j] = same
    pairs = sorted((not s, i, j) for (i, j), s in seen.items())
    return [(i, j, 1 if not d else -1) for d, i, j in pairs]


def itml_value(M, V, sign, target):
    p = np.einsum("ci,ij,cj->c", V, M, V)
    r = (p / target)[sign * (p - target) > 0]
    return np.trace(M) - np.linalg.slogdet(M)[1] - len(M) + np.sum(
        r - np.log(r) - 1)


def itml(V, sign, target, sweeps=1000, tol=1e-3):
    A = np.eye(V.shape[1])
    lam, xi = np.zeros(len(V)), target.copy()
    for sweep in range(1, sweeps + 1):
        old = lam.copy()
        for c in range(len(V)):
            Av = A @ V[c]
            p = V[c] @ Av
            a = min(lam[c], sign[c] * 0.5 * (1 / p - 1 / xi[c]))
            if a == 0.0:
                continue
            xi[c] = xi[c] / (1 + sign[c] * a * xi[c])
            lam[c] -= a
            A += (sign[c] * a / (1 - sign[c] * a * p)) * np.outer(Av, Av)
        if np.abs(lam - old).sum() < tol * (np.linalg.norm(lam) +
                                            np.linalg.norm(old)):
            break
    return (A + A.T) / 2, sweep


# ---- lmnn -------------------------------------------------------------------

def distances(Z):
    q = np.einsum("ij,ij->i", Z, Z)
    return np.maximum(q[:, None] + q[None] - 2 * Z @ Z.T, 0)


def targets(X, y):
    D = distances(X)
    D[y[:, None] != y[None]] = np.inf
    np.fill_diagonal(D, np.inf)
    return np.argsort(D, axis=1, kind="stable")[:, :K]


def lmnn_value(X, y, T, L, gradient):
    """The objective at M = L L', and its gradient by M."""
    n = len(X)
    D = distances(X @ L)
    other = y[:, None] != y[None]
    W = np.zeros((n, n))
    rows = np.arange(n)
    value = 0.0
    for k in range(K):
        near = D[rows, T[:, k]]
        over = 1 + near[:, None] - D
        active = other & (over > 0)
        value += (1 - MU) * near.sum() + MU * over[active].sum()
        if gradient:
            W -= MU * active
            W[rows, T[:, k]] += 1 - MU + MU * active.sum(1)
    if not gradient:
        return value
    W = W + W.T
    return value, X.T @ (W.sum(1)[:, None] * X - W @ X)


def root(M):
    w, V = np.linalg.eigh(M)
    return V * np.sqrt(np.maximum(w, 0))


def lmnn(X, y, most=1000, tol=1e-5):
    T = targets(X, y)
    L = np.eye(X.shape[1])
    value, G = lmnn_value(X, y, T, L, True)
    step, values = 1e-3 / np.abs(G).max(), [value]
    for i in range(1, most + 1):
        next_L = root(L @ L.T - step * G)
        now, next_G = lmnn_value(X, y, T, next_L, True)
        if now < value:
            L, value, G, step = next_L, now, next_G, step * 1.1
        else:
            step /= 2
        values.append(value)
        if i > 30 and values[-31] - value < tol * value:
            break
    return L @ L.T, i


# ---- both -------------------------------------------------------------------

def timed(run, *args):
    began = time.process_time()
    M, iterations = run(*args)
    return M, iterations, time.process_time() - began


def bench(program, *words):
    out = subprocess.run([program, *words], check=True, capture_output=True,
                         text=True).stdout
    got = json.loads(out)
    d = int(len(got["M"]) ** 0.5)
    got["M"] = np.reshape(got["M"], (d, d))
    return got


def fewest(program, words, value, enough):
    """The run of fewest iterations whose objective is `enough` or less."""
    last = bench(program, *words)
    last["value"] = value(last["M"])
    low, high, best = 0, last["iterations"], last
    while high - low > 1:
        middle = (low + high) // 2
        got = bench(program, *words, "max_iterations=%d" % middle)
        got["value"] = value(got["M"])
        if got["value"] <= enough:
            high, best = middle, got
        else:
            low = middle
    return best, last


def report(name, program, words, value, theirs, **more):
    M, iterations, seconds = theirs
    there = value(M)
    best, last = fewest(program, words, value, there * (1 + 1e-3))
    print(json.dumps({
        "bench": name, "numpy_seconds": round(seconds, 3),
        "numpy_objective": there, "numpy_iterations": iterations,
        "akin_seconds": best["seconds"], "akin_objective": best["value"],
        "akin_iterations": best["iterations"],
        "objective_above": best["value"] / there - 1,
        "times_faster": round(seconds / best["seconds"], 1),
        "to_the_end": {
            "seconds": last["seconds"], "iterations": last["iterations"],
            "objective_above": last["value"] / there - 1,
            "times_faster": round(seconds / last["seconds"], 1)}, **more}),
          flush=True)


def main():
    program, count = sys.argv[1], int((sys.argv + ["", "2000"])[2] or 2000)
    X, y = data()
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        rows, known = (os.path.join(folder, x) for x in ("x.npy", "known"))
        np.save(rows, X.astype(np.float32))
        np.savetxt(known, y, fmt="%d")
        T = targets(X, y)
        report("lmnn", program, ("lmnn", rows, known, "lambda=0"),
               lambda M: lmnn_value(X, y, T, root(M), False),
               timed(lmnn, X, y))

        pairs = draw_pairs(y, count, rng)
        np.savetxt(known, pairs, fmt="%d")
        i, j, sign = np.array(pairs).T
        V = X[i] - X[j]
        near, far = np.percentile((V * V).sum(1), [5, 95])
        target = np.where(sign > 0, near, far)
        report("itml", program, ("itml", rows, known, "near=%r" % float(near),
                                 "far=%r" % float(far)),
               lambda M: itml_value(M, V, sign, target),
               timed(itml, V, sign, target), pairs=len(pairs))


if __name__ == "__main__":
    main()
