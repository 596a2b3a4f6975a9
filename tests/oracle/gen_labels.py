"""Golden cases of the learners that rank labels, by slow and obvious references.

    gen_labels.py OUT_DIR

Each reference keeps W (labels x features) as a dense matrix, or as two factors
with the pseudo-inverses of NumPy, and does in every round what the equation
says. They share no code with the library. Streams in which a hinge or the
choice of the best wrong label is within 1e-6 of going the other way are drawn
again, so that rounding cannot decide a case; every label stands in an early
row, so that no two labels are alike.

Notation: a row x with labels Y, s = W x, ybar the best of the other labels,
loss = sum over Y of max(0, 1 - s_i + s_ybar); u is 1 for each i that adds to
it and, for ybar, minus their number (or -1).
"""
import json
import os
import sys

import numpy as np

DIM, LABELS, ROWS, ENTRIES = 12, 7, 50, 5
GRAIN = 2.0 ** -20  # values are exact in float and in decimal


class Close(Exception):
    """A choice that rounding would make."""


def loss_and_step(s, labels, one=False):
    """loss, u, ybar"""
    wrong = [i for i in range(LABELS) if i not in labels]
    u, loss = np.zeros(LABELS), 0.0
    if not wrong:
        return loss, u, -1
    wrong.sort(key=lambda i: (-s[i], i))
    ybar, best = wrong[0], [s[i] for i in wrong[:2]]
    # Scores of exactly 0 are alike by right: the first label goes.
    if best[0] - best[-1] < 1e-6 and len(best) > 1 and any(best):
        raise Close
    for i in labels:
        h = 1.0 - s[i] + s[ybar]
        if abs(h) < 1e-6:
            raise Close
        if h > 0.0:
            loss += h
            u[i] += 1.0
            u[ybar] -= 1.0
    if one and u[ybar] < 0.0:
        u[ybar] = -1.0
    return loss, u, ybar


def plain(theta, o):
    del o
    return theta


def grouped(theta, o):
    """W^j = theta^j |theta^j|^(s-2) (sum_l |theta^l|^s)^(2/s - 1)"""
    s = o.get("exponent") or max(2.0, np.log(DIM))
    size = np.linalg.norm(theta, axis=0)
    if not size.any():
        return theta
    return theta * size ** (s - 2.0) * np.sum(size ** s) ** (2.0 / s - 1.0)


def perceptron(X, Y, o, weights):
    theta, losses, ybars = np.zeros((LABELS, DIM)), [], []
    for x, labels in zip(X, Y):
        loss, u, ybar = loss_and_step(weights(theta, o) @ x, labels)
        theta = theta + o["eta"] * np.outer(u, x)
        losses.append(loss)
        ybars.append(ybar)
    return weights(theta, o), losses, ybars


def pa_length(C, loss, a, b):
    fall = (a @ a) * (b @ b)
    return min(C, loss / fall) if loss > 0.0 and fall > 0.0 else 0.0


def pa(A, B, u, x, o):
    """The smallest change of A, then of B, that ends the linear loss."""
    count = np.sum(u[u > 0.0])
    A0, b = A, B.T @ x
    A = A + pa_length(o["C"], count - u @ A @ b, u, b) * np.outer(u, b)
    a = (A if o["mode"] == "sequential" else A0).T @ u
    return A, B + pa_length(o["C"], count - a @ b, x, a) * np.outer(x, a)


def retract(A, B, u, x, o):
    """A second-order retraction along eta u x'."""
    p = o["eta"] * u
    a, b = np.linalg.pinv(A) @ p, np.linalg.pinv(B) @ x
    s = a @ b
    c, d = 0.375 * s - 0.5, 1.0 - 0.5 * s
    return (A + np.outer(c * (A @ a) + d * p, b),
            B + np.outer(c * (B @ b) + d * x, a))


def best_factors(W, k):
    U, s, Vt = np.linalg.svd(W)
    if s[k - 1] <= 1e-10 * s[0]:
        return None
    root = np.sqrt(s[:k])
    return U[:, :k] * root, Vt[:k].T * root


def factors(X, Y, o, init, step):
    """From [I; 0], or from the best factors of the perceptron's W after 2k
    rounds with a loss."""
    k, active = init["k"], 0
    W = np.zeros((LABELS, DIM))
    A, B = np.eye(LABELS, k), np.eye(DIM, k)
    ready = init["kind"] == "identity"
    losses, ybars = [], []
    one = o.get("ybar_weight") == "one"
    for x, labels in zip(X, Y):
        s = A @ (B.T @ x) if ready else W @ x
        loss, u, ybar = loss_and_step(s, labels, one)
        losses.append(loss)
        ybars.append(ybar)
        if loss > 0.0 and ready:
            A, B = step(A, B, u, x, o)
        elif loss > 0.0:
            W, active = W + o["eta"] * np.outer(u, x), active + 1
            pair = best_factors(W, k) if active >= 2 * k else None
            if pair:
                (A, B), ready = pair, True
    return A @ B.T, losses, ybars


def stream(rng):
    X = np.zeros((ROWS, DIM))
    Y = []
    for i in range(ROWS):
        at = rng.choice(DIM, ENTRIES, replace=False)
        X[i, at] = np.round(rng.uniform(-1.0, 1.0, ENTRIES) / GRAIN) * GRAIN
        own = {i % LABELS}
        while rng.random() < 0.4:
            own.add(int(rng.integers(LABELS)))
        Y.append(sorted(own))
        if i % 9 == 8:
            X[i] = 0.0  # a row of nothing
        if i % 20 == 19:
            Y[i] = list(range(LABELS))
    return X, Y


CASES = [
    ("labels-perceptron", "perceptron", {"eta": 0.4}, {"kind": "none"},
     lambda X, Y, o, i: perceptron(X, Y, o, plain)),
    ("labels-group", "group-perceptron", {"eta": 2.0}, {"kind": "none"},
     lambda X, Y, o, i: perceptron(X, Y, o, grouped)),
    ("labels-group-exponent", "group-perceptron",
     {"eta": 3.0, "exponent": 4.0}, {"kind": "none"},
     lambda X, Y, o, i: perceptron(X, Y, o, grouped)),
    ("labels-pa", "pa", {"C": 0.2, "mode": "sequential"},
     {"kind": "identity", "k": 3},
     lambda X, Y, o, i: factors(X, Y, o, i, pa)),
    ("labels-pa-simultaneous", "pa", {"C": 0.2, "mode": "simultaneous"},
     {"kind": "identity", "k": 3},
     lambda X, Y, o, i: factors(X, Y, o, i, pa)),
    ("labels-loreta", "loreta-1", {"eta": 0.3}, {"kind": "identity", "k": 4},
     lambda X, Y, o, i: factors(X, Y, o, i, retract)),
    ("labels-loreta-one", "loreta-1", {"eta": 0.3, "ybar_weight": "one"},
     {"kind": "identity", "k": 4},
     lambda X, Y, o, i: factors(X, Y, o, i, retract)),
    ("labels-loreta-zero", "loreta-1", {"eta": 0.3}, {"kind": "zero", "k": 4},
     lambda X, Y, o, i: factors(X, Y, o, i, retract)),
]


def make(name, algorithm, params, init, run):
    for seed in range(1000):
        rng = np.random.default_rng([seed, len(name)])
        X, Y = stream(rng)
        try:
            W, losses, ybars = run(X, Y, params, init)
        except Close:
            continue
        if min(losses) == 0.0:
            break
    else:
        sys.exit(f"{name}: no stream without a close choice")
    vectors = [{"i": [int(j) for j in np.flatnonzero(x)],
                "v": [float(v) for v in x[x != 0.0]]} for x in X]
    return {"format": "akin-oracle/1", "name": name, "task": "multilabel",
            "algorithm": algorithm, "params": params, "init": init,
            "dim": DIM, "vectors": vectors, "labels": Y,
            "labels_count": LABELS,
            "expected": {"W": [[float(v) for v in row] for row in W],
                         "losses": losses, "ybars": ybars},
            "required": ["W", "losses", "ybars"],
            "tol": {"f64": {"abs": 1e-10, "rel": 1e-10}}}


def main(folder):
    for case in CASES:
        with open(os.path.join(folder, case[0] + ".json"), "w",
                  encoding="ascii") as f:
            json.dump(make(*case), f, separators=(",", ":"))
            f.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
