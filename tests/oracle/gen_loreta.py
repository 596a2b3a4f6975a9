"""Golden cases of the learners on the manifold of matrices of rank k.

    gen_loreta.py OUT_DIR

The references use W alone: a step along Z is

    R(Z) = V1 W^+ V2,  V1 = W + X/2 + L - X W^+ X / 8 - L W^+ X / 2,
                       V2 = W + X/2 + T - X W^+ X / 8 - X W^+ T / 2

with X = P Z Q, T = P Z (I - Q), L = (I - P) Z Q and P, Q the projections on
column and row space of W; for Y Y' the Z is made symmetric first. Rows and
triplets are drawn as in gen_triplets.py, and the same rounds are avoided.
"""
import json
import os
import sys

import numpy as np
from gen_matrices import loss_of
from gen_triplets import NearKink, draw, plain, sparse

K = 3


def step(W, Z):
    U, s, Vt = np.linalg.svd(W)
    U, s, Vt = U[:, :K], s[:K], Vt[:K]
    Wp, P, Q = (Vt.T / s) @ U.T, U @ U.T, Vt.T @ Vt
    X, T, L = P @ Z @ Q, P @ Z - P @ Z @ Q, Z @ Q - P @ Z @ Q
    common = W + X / 2 - X @ Wp @ X / 8
    return (common + L - L @ Wp @ X / 2) @ Wp @ (common + T - X @ Wp @ T / 2)


def best(W, symmetric):
    """Of rank K, or None; of a symmetric matrix the part that is positive."""
    if symmetric:
        values, U = np.linalg.eigh((W + W.T) / 2)
        values, U = values[::-1], U[:, ::-1]
        if values[K - 1] <= 1e-10 * values[0]:
            return None
        return (U[:, :K] * values[:K]) @ U[:, :K].T
    U, s, Vt = np.linalg.svd(W)
    return None if s[K - 1] <= 1e-10 * s[0] else (U[:, :K] * s[:K]) @ Vt[:K]


def run(X, triplets, o, zero, psd=False, batch=1):
    """One triplet after the other, or batches of them."""
    d = X.shape[1]
    W = np.zeros((d, d)) if zero else np.diag(np.arange(d) < K).astype(float)
    left = 2 * K if zero else 0  # mistakes of the full matrix yet to come
    losses, Z, seen = [], np.zeros((d, d)), 0
    for q, p, n in triplets:
        D = X[p] - X[n]
        losses.append(loss_of(X[q] @ W @ D))
        active = losses[-1] > 0.0
        G = o["eta"] * np.outer(X[q], D) * active
        G = (G + G.T) / 2 if psd else G
        if left > 0:
            W, left = W + G, left - active
            if left == 0:
                made = best(W, psd)
                W, left = (W, 1) if made is None else (made, 0)
            continue
        Z, seen = Z + G, seen + 1
        if seen == batch:
            W, Z, seen = step(W, Z), np.zeros((d, d)), 0
    return {"W": step(W, Z) if seen else W, "losses": losses}


def identify(X, triplets, o, zero):
    """Steps inside the learned space: W = A M B', A and B fixed meanwhile. What
    they do depends on the factors, not on W alone, so these are kept."""
    d = X.shape[1]
    A, B = np.eye(d)[:, :K], np.eye(d)[:, :K]
    losses, M, seen = [], np.eye(K), 0
    for q, p, n in triplets:
        D = X[p] - X[n]
        a, b = A.T @ X[q], B.T @ D
        losses.append(loss_of(a @ M @ b))
        active = losses[-1] > 0.0
        if seen == 0 and active:
            A, B = rank_one(A, B, o["eta"] * X[q], D)
        elif active:
            M = M + o["eta2"] * np.outer(a, b)
        seen = (seen + 1) % (o["s"] + 1)
        if seen == 0:
            U, S, Vt = np.linalg.svd(M)
            A, B, M = A @ U * np.sqrt(S), B @ Vt.T * np.sqrt(S), np.eye(K)
    return {"W": A @ M @ B.T, "losses": losses}


def rank_one(A, B, p, q):
    """The step on factors, pseudo-inverses afresh."""
    a, b = np.linalg.pinv(A) @ p, np.linalg.pinv(B) @ q
    s = a @ b
    x, y = 3 * s / 8 - 1 / 2, 1 - s / 2
    return (A + np.outer(x * A @ a + y * p, b),
            B + np.outer(x * B @ b + y * q, a))


CASES = [
    ("loreta-1-sparse", "loreta-1", {"eta": 0.1, "form": "sparse"}, {}),
    ("loreta-1-dense", "loreta-1", {"eta": 0.1, "form": "dense"}, {}),
    ("loreta-1-edge", "loreta-1", {"eta": 0.2}, {}),
    ("loreta-1-zero", "loreta-1", {"eta": 0.2}, {"zero": True}),
    ("loreta-psd-sparse", "loreta-1-psd", {"eta": 0.1, "form": "sparse"}, {}),
    ("loreta-psd-dense", "loreta-1-psd", {"eta": 0.1, "form": "dense"}, {}),
    ("loreta-psd-edge", "loreta-1-psd", {"eta": 0.2}, {}),
    ("loreta-psd-zero", "loreta-1-psd", {"eta": 0.2}, {"zero": True}),
    ("loreta-batch-5", "loreta-r", {"eta": 0.05, "batch": 5}, {}),
    ("loreta-batch-7-dense", "loreta-r",
     {"eta": 0.05, "batch": 7, "form": "dense"}, {}),
    ("loreta-batch-zero", "loreta-r", {"eta": 0.1, "batch": 3}, {"zero": True}),
    ("loreta-mi", "loreta-mi", {"eta": 0.1, "eta2": 0.05, "s": 2}, {}),
    ("loreta-mi-dense", "loreta-mi",
     {"eta": 0.1, "eta2": 0.03, "s": 4, "form": "dense"}, {}),
]


def learn(algorithm, X, triplets, o, zero=False):
    if algorithm == "loreta-mi":
        return identify(X, triplets, o, zero)
    return run(X, triplets, o, zero, algorithm == "loreta-1-psd",
               o.get("batch", 1))


def make(name, algorithm, options, more):
    for seed in range(1, 1000):
        X, triplets, _ = draw(name, seed)
        try:
            expected = learn(algorithm, X, triplets, options, **more)
        except NearKink:
            continue
        if sum(loss == 0.0 for loss in expected["losses"]) >= 5:
            return seed, X, triplets, expected
    raise SystemExit(f"{name}: no seed gives a case")


def pinv_cases():
    """A + c d' with w = c - A A^+ c and beta = 1 + d'A^+ c as named."""
    rng = np.random.default_rng(5)
    for name, beta, inside in (("general", None, False), ("beta-0", 0.0, False),
                               ("beta-1e-9", 1e-9, False),
                               ("inside", None, True), ("loses", 0.0, True)):
        A, d, v = rng.normal(size=(8, 3)), rng.normal(size=3), rng.normal(size=3)
        if beta is not None:
            v *= (beta - 1) / (d @ v)
        c = A @ v
        if not inside:
            w = rng.normal(size=8)
            c = c + w - A @ np.linalg.pinv(A) @ w
        want = np.linalg.pinv(A + np.outer(c, d), rcond=1e-10)
        yield (f"pinv-{name}", "pinv-update", "pinv-update",
               {"A": A, "c": c, "d": d}, {"pinv": want}, ["pinv"])


def retraction_cases():
    rng = np.random.default_rng(6)
    A, B = rng.normal(size=(8, K)), rng.normal(size=(6, K))
    for r in (1, 2, 5):
        G, H = 0.2 * rng.normal(size=(8, r)), rng.normal(size=(6, r))
        given = {"A": A, "B": B}
        given.update({"p": G[:, 0], "q": H[:, 0]} if r == 1
                     else {"G1": G, "G2": H})
        yield (f"retraction-{r}", "retraction", "loreta-1" if r == 1 else
               "loreta-r", given, {"W": step(A @ B.T, G @ H.T)}, ["W"])
    p, q = 0.2 * rng.normal(size=8), rng.normal(size=8)
    Z = np.outer(p, q)
    yield ("retraction-psd", "retraction", "loreta-1-psd",
           {"Y": A, "p": p, "q": q}, {"W": step(A @ A.T, (Z + Z.T) / 2)}, ["W"])


def write(folder, case):
    case["tol"] = {"f64": {"abs": 1e-9, "rel": 1e-8}}
    path = os.path.join(folder, case["name"] + ".json")
    with open(path, "w", encoding="ascii") as f:
        json.dump({"format": "akin-oracle/1", **case}, f,
                  separators=(",", ":"))
        f.write("\n")


def main(folder):
    for name, algorithm, options, more in CASES:
        seed, X, triplets, expected = make(name, algorithm, options, more)
        write(folder, {
            "name": name, "task": "triplet", "algorithm": algorithm,
            "seed": seed, "params": options, "dim": X.shape[1],
            "vectors": [sparse(x) for x in X], "triplets": triplets,
            "init": {"kind": "zero" if more.get("zero") else "identity",
                     "k": K},
            "expected": {k: plain(v) for k, v in expected.items()},
            "required": ["W", "losses"]})
    for name, task, algorithm, given, want, required in [*pinv_cases(),
                                                         *retraction_cases()]:
        write(folder, {
            "name": name, "task": task, "algorithm": algorithm, "params": {},
            **{k: plain(v) for k, v in given.items()},
            "expected": {k: plain(v) for k, v in want.items()},
            "required": required})


if __name__ == "__main__":
    main(sys.argv[1])
