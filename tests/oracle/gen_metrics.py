"""Golden cases of sparse metrics and sparse inverse covariance.

    gen_metrics.py OUT_DIR

The references keep n x n matrices and solve by what is slow and plain:

    P    = 1/k on the k nearest, W* = (1 - a) (I - a P)^-1 W0
    W    = (W* + W*')/2, cut at theta;  T = sum W_ij (x_i - x_j)(x_i - x_j)'/2
    M    = argmin - log det M + <S, M> + sum R |M| by alternating linearisation,
           then Newton's method on the entries that are not zero
"""
import json
import os
import sys

import numpy as np


def neighbours(X, k):
    n = len(X)
    k = min(k, n - 1)
    P = np.zeros((n, n))
    for i in range(n):
        d = ((X - X[i]) ** 2).sum(axis=1)
        d[i] = np.inf
        P[i, np.argsort(d, kind="stable")[:k]] = 1.0 / k
    return P


def affinity(X, S, D, k, alpha, theta):
    n = len(X)
    W0 = np.eye(n)
    for pairs, w in ((S, 1.0), (D, -1.0)):
        for i, j in pairs:
            W0[i, j] = W0[j, i] = w
    P = neighbours(X, k)
    W = (1 - alpha) * np.linalg.solve(np.eye(n) - alpha * P, W0)
    W = (W + W.T) / 2
    if np.abs(np.abs(W[np.abs(W) > 0]) - theta).min() < 1e-6:
        raise SystemExit("an affinity is too near theta")
    return P, np.where(np.abs(W) >= theta, W, 0.0)


def spread(X, W):
    T = np.zeros((X.shape[1], X.shape[1]))
    for i, j in np.argwhere(W):
        T += 0.5 * W[i, j] * np.outer(X[i] - X[j], X[i] - X[j])
    return T


def of_pairs(n, S, D):
    W = np.zeros((n, n))
    for pairs, w in ((S, 1.0), (D, -1.0)):
        for i, j in pairs:
            W[i, j] = W[j, i] = w
    return W


def value(M, S, R):
    return (-np.linalg.slogdet(M)[1] + (S * M).sum() + (R * np.abs(M)).sum())


def alternate(S, R, steps=20000):
    Y, U, mu = np.diag(1 / (np.diag(S) + np.diag(R))), np.zeros_like(S), 0.3
    for _ in range(steps):
        d, V = np.linalg.eigh(Y - mu * (S + U))
        g = (d + np.sqrt(d * d + 4 * mu)) / 2
        A = (V * g) @ V.T - mu * (S - (V / g) @ V.T)
        Y = np.sign(A) * np.maximum(np.abs(A) - mu * R, 0)
        U = (A - Y) / mu
    return (Y + Y.T) / 2


def newton(M, S, R):
    """On the support: (M^-1)_ij = (S + R sign M)_ij."""
    at = [(i, j) for i, j in np.argwhere(M) if i <= j]
    basis = []
    for i, j in at:
        E = np.zeros_like(M)
        E[i, j] = E[j, i] = 1.0
        basis.append(E)
    for _ in range(20):
        W = np.linalg.inv(M)
        r = W - S - R * np.sign(M)
        H = np.array([[(W @ a @ W * b).sum() for a in basis] for b in basis])
        step = np.linalg.solve(H, [(r * b).sum() for b in basis])
        M = M + sum(x * b for x, b in zip(step, basis))
    return M


def solve(S, R):
    M = newton(alternate(S, R), S, R)
    W = np.linalg.inv(M)
    assert (np.abs(W - S) <= R + 1e-9).all()  # the dual is feasible: optimal
    return M


def covariance(rng, m, units=1.0):
    X = rng.standard_normal((3 * m, m))
    X[:, 1:] += 0.6 * X[:, :-1]
    X *= np.geomspace(1.0, units, m)
    return np.cov(X.T)


def sice(name, S, rho):
    R = np.full(S.shape, rho)
    M = solve(S, R)
    return {"algorithm": "sice", "name": name, "params": {"rho": rho},
            "inputs": {"Sigma": S},
            "expected": {"status": "ok", "M": M, "objective": value(M, S, R),
                         "dual": value(M, S, R),
                         "zero_pattern": (M == 0).astype(int)}}


def unbounded(name, S, rho):
    return {"algorithm": "sice", "name": name, "params": {"rho": rho},
            "inputs": {"Sigma": np.array(S)},
            "expected": {"status": "unbounded"}}


def points(rng):
    X = rng.standard_normal((18, 3))
    X[::2] += [2.0, -1.0, 0.5]
    return X, [[0, 2], [4, 6], [1, 3]], [[0, 1], [2, 5], [4, 7]]


def metric(name, rng, algorithm, params):
    X, S, D = points(rng)
    if algorithm == "s3ml":
        W = affinity(X, S, D, params["k"], params["alpha"], params["theta"])[1]
    else:
        W = of_pairs(len(X), S, D)
    weight = params["eta" if algorithm == "sdml" else "beta"]
    C = np.cov(X.T)
    Sigma = C + weight * spread(X, W)
    if algorithm == "sdml":
        R = params["lambda"] * (1 - np.eye(3))
    else:
        R = np.full((3, 3), params["rho"])
    M = solve(Sigma, R)
    inputs = {"X": X, "S": S, "D": D}
    if algorithm == "sdml":
        inputs["M0inv"] = C
    return {"algorithm": algorithm, "name": name, "params": params,
            "inputs": inputs,
            "expected": {"Sigma": Sigma, "M": M,
                         "objective": value(M, Sigma, R)}}


def spreading(name, rng, params):
    X, S, D = points(rng)
    P, W = affinity(X, S, D, params["k"], params["alpha"], params["theta"])
    return {"algorithm": "s3ml_affinity", "name": name, "params": params,
            "inputs": {"X": X, "S": S, "D": D},
            "expected": {"P": P, "W": W, "T": spread(X, W),
                         "nnz": int((W != 0).sum())}}


def cases():
    rng = np.random.default_rng(2010)
    yield sice("sice", covariance(rng, 5), 0.15)
    yield sice("sice-units", covariance(rng, 4, 3.0), 0.3)
    yield sice("sice-indefinite",
               np.diag([1.0, 2.0, -0.05]) + 0.02, 0.2)
    yield unbounded("sice-unbounded", [[1.0, 3.0], [3.0, 1.0]], 0.2)
    yield unbounded("sice-unbounded-diagonal", [[1.0, 0.0], [0.0, -1.0]], 0.5)
    spread_of = {"k": 4, "alpha": 0.6, "theta": 0.02}
    yield spreading("s3ml-affinity", rng, spread_of)
    yield metric("s3ml", rng, "s3ml", {**spread_of, "beta": 0.01, "rho": 0.1})
    yield metric("s2ml", rng, "s2ml", {"beta": 0.02, "rho": 0.05})
    yield metric("sdml", rng, "sdml", {"eta": 0.02, "lambda": 0.1})


def plain(x):
    return x.tolist() if isinstance(x, np.ndarray) else x


def main(folder):
    for case in cases():
        for part in ("inputs", "expected"):
            case[part] = {k: plain(v) for k, v in case[part].items()}
        case["tol"] = {"f64": {"rel": 1e-7, "abs": 1e-9}}
        case["required"] = sorted(case["expected"])
        with open(os.path.join(folder, case["name"] + ".json"), "w",
                  encoding="ascii") as f:
            json.dump(case, f)
            f.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
