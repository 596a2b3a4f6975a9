"""Golden cases of metrics from pairs.

    gen_pairs.py OUT_DIR

The references go by the definitions, with explicit inverses and loops:

    itml  for each pair, p = v'M v, a = min(lambda, s g/(g + 1) (1/p - 1/xi)),
          xi = g xi/(g + s a xi), lambda -= a, M^-1 -= s a v v'; sweeps until
          the multipliers move by less than tol, or maxit
    lrml  B = sum over neighbours v v' + gamma_s similar - gamma_d dissimilar
          + ridge I,  M = det(B)^(1/d) B^-1
"""
import sys

import numpy as np
from gen_rows import write


def itml(X, S, D, o):
    g = o["gamma"]
    pairs = [(i, j, 1.0) for i, j in S] + [(i, j, -1.0) for i, j in D]
    inverse = np.eye(X.shape[1])
    lam = np.zeros(len(pairs))
    xi = np.array([o["u"] if s > 0 else o["l"] for _, _, s in pairs])
    for _ in range(o["maxit"]):
        old = lam.copy()
        for c, (i, j, s) in enumerate(pairs):
            v = X[i] - X[j]
            p = v @ np.linalg.inv(inverse) @ v
            if p == 0.0:
                continue
            a = min(lam[c], s * g / (g + 1) * (1 / p - 1 / xi[c]))
            xi[c] = g * xi[c] / (g + s * a * xi[c])
            lam[c] -= a
            inverse = inverse - s * a * np.outer(v, v)
        moved = np.abs(lam - old).sum()
        if moved < o["tol"] * (np.linalg.norm(lam) + np.linalg.norm(old)):
            break
    return {"M": np.linalg.inv(inverse).tolist()}


def lrml(X, S, D, o):
    n, d = X.shape
    near = [sorted((j for j in range(n) if j != i),
                   key=lambda j: (np.sum((X[i] - X[j]) ** 2), j))[:o["k"]]
            for i in range(n)]
    B = o["ridge"] * np.eye(d)
    for i in range(n):
        for j in range(i):
            v = X[i] - X[j]
            if j in near[i] or i in near[j]:
                B += np.outer(v, v)
    for pairs, weight in ((S, o["gamma_s"]), (D, -o["gamma_d"])):
        for i, j in pairs:
            B += weight * np.outer(X[i] - X[j], X[i] - X[j])
    return {"M": (np.linalg.det(B) ** (1 / d) * np.linalg.inv(B)).tolist()}


def draw(rng, n, d):
    """Two groups of points and pairs within and between them."""
    X = rng.normal(size=(n, d)) + 2.0 * (np.arange(n) % 2)[:, None]
    order = rng.permutation(n)
    S = [(int(i), int((i + 2) % n)) for i in order[:6]]
    D = [(int(i), int((i + 3) % n)) for i in order[3:10]]
    return X, S, D


def main(folder):
    rng = np.random.default_rng(7)
    for name, options in (
            ("itml", {"gamma": 1.0, "maxit": 30, "tol": 1e-3}),
            ("itml-gamma", {"gamma": 0.2, "maxit": 9, "tol": 0.0}),
            ("itml-hard", {"gamma": 20.0, "maxit": 40, "tol": 1e-6})):
        X, S, D = draw(rng, 16, 4)
        X[5] = X[3]
        if name == "itml-hard":
            S.append((3, 5))  # two equal points
        options = {"u": 1.5, "l": 9.0, **options}
        write(folder, name, "itml", itml(X, S, D, options), params=options,
              inputs={"X": X.tolist(), "S": S, "D": D})
    for name, options in (
            ("lrml", {"k": 3, "gamma_s": 1.0, "gamma_d": 0.2, "ridge": 0.0}),
            ("lrml-ridge", {"k": 30, "gamma_s": 4.0, "gamma_d": 1e-3,
                            "ridge": 2.5})):
        X, S, D = draw(rng, 14, 3)
        write(folder, name, "lrml", lrml(X, S, D, options), params=options,
              inputs={"X": X.tolist(), "S": S, "D": D})


if __name__ == "__main__":
    main(sys.argv[1])
