"""Golden cases of learners from triplets whose similarity is x' W y.

    gen_matrices.py OUT_DIR

The references keep dense matrices and do in every round what the equations
say; rows and triplets are drawn as in gen_triplets.py, and the same rounds are
avoided. With D = p - n and the hinge L = max(0, 1 - q' W D):

    gd      A += eta q (B'D)',  B += eta D (A'q)'  with the old A and B
    psd-gd  Y += eta (q D' + D q') Y
    pa      A += min(C, L / (|q|^2 |B'D|^2)) q (B'D)'; B likewise, after A with
            the loss that is left, or at once
    oasis   W += min(C, L / (|q|^2 |D|^2)) q D'
    lego    M by a LogDet step towards a wanted distance, twice a triplet
"""
import json
import os
import sys

import numpy as np
from gen_triplets import NearKink, draw, plain, sparse

K = 3


def loss_of(margin):
    if abs(1.0 - margin) < 1e-6:
        raise NearKink
    return max(0.0, 1.0 - margin)


def pa_length(C, loss, square):
    return min(C, loss / square) if loss > 0.0 and square > 0.0 else 0.0


def step_gd(f, q, D, loss, o):
    A, B = f
    return [A + o["eta"] * np.outer(q, B.T @ D),
            B + o["eta"] * np.outer(D, A.T @ q)]


def step_psd_gd(f, q, D, loss, o):
    Y = f[0] + o["eta"] * (np.outer(q, D) + np.outer(D, q)) @ f[0]
    return [Y, Y]


def step_pa(f, q, D, loss, o):
    A, B = f
    BD = B.T @ D
    A_new = A + pa_length(o["C"], loss, (q @ q) * (BD @ BD)) * np.outer(q, BD)
    if o["mode"] == "sequential":
        A, loss = A_new, 1.0 - q @ A_new @ B.T @ D
    Aq = A.T @ q
    B = B + pa_length(o["C"], loss, (D @ D) * (Aq @ Aq)) * np.outer(D, Aq)
    return [A_new, B]


def step_oasis(f, q, D, loss, o):
    tau = pa_length(o["C"], loss, (q @ q) * (D @ D))
    return [f[0] + tau * np.outer(q, D), f[1]]


def hinge_run(step, k, X, triplets, o):
    """Factors that begin as the first k columns of the identity."""
    f = [np.eye(X.shape[1])[:, :k], np.eye(X.shape[1])[:, :k]]
    losses = []
    for q, p, n in triplets:
        D = X[p] - X[n]
        losses.append(loss_of(X[q] @ f[0] @ f[1].T @ D))
        if losses[-1] > 0.0:
            f = step(f, X[q], D, losses[-1], o)
    return {"W": f[0] @ f[1].T, "losses": losses}


def lego_distance(d0, y, eta):
    """The distance d after a step solves d / d0 = 1 - eta (d - y) d: with the
    LogDet divergence, 1/d = 1/d0 + eta (d - y). Found by halving."""
    low, high = 0.0, max(d0, y) + 1.0
    for _ in range(200):
        d = 0.5 * (low + high)
        if d > 0.0 and 1.0 / d0 + eta * (d - y) - 1.0 / d > 0.0:
            high = d
        else:
            low = d
    return 0.5 * (low + high)


def lego(X, triplets, o):
    """M^-1 <- M^-1 + eta (d - y) z z', the stationary point, by inversion."""
    M = np.eye(X.shape[1])
    distances = []
    for q, p, n in triplets:
        for other, y, near in ((p, o["y_sim"], True), (n, o["y_dis"], False)):
            z = X[q] - X[other]
            d = z @ M @ z
            distances.append(d)
            if abs(d - y) < 1e-6:
                raise NearKink
            done = o["inequality"] and (d <= y if near else d >= y)
            if d > 0.0 and not done:
                c = o["eta"] * (lego_distance(d, y, o["eta"]) - y)
                M = np.linalg.inv(np.linalg.inv(M) + c * np.outer(z, z))
    return {"W": M, "losses": distances}


REFERENCES = {
    "gd": lambda *a: hinge_run(step_gd, K, *a),
    "psd-gd": lambda *a: hinge_run(step_psd_gd, K, *a),
    "pa": lambda *a: hinge_run(step_pa, K, *a),
    "oasis": lambda X, *a: hinge_run(step_oasis, X.shape[1], X, *a),
    "lego": lego,
}

LEGO = {"eta": 0.5, "y_sim": 0.4, "y_dis": 1.6, "inequality": False}
CASES = [
    ("gd", "gd", {"eta": 0.05}),
    ("gd-edge", "gd", {"eta": 0.1}),
    ("psd-gd", "psd-gd", {"eta": 0.05}),
    ("psd-gd-edge", "psd-gd", {"eta": 0.1}),
    ("pa-sequential", "pa", {"C": 0.3, "mode": "sequential"}),
    ("pa-simultaneous", "pa", {"C": 0.2, "mode": "simultaneous"}),
    ("pa-edge", "pa", {"C": 100.0, "mode": "sequential"}),
    ("oasis", "oasis", {"C": 0.2}),
    ("oasis-edge", "oasis", {"C": 100.0}),
    ("lego", "lego", LEGO),
    ("lego-edge", "lego", {**LEGO, "eta": 2.0}),
    ("lego-inequality", "lego", {**LEGO, "inequality": True}),
]


def make(name, algorithm, options):
    for seed in range(1, 1000):
        X, triplets, _ = draw(name, seed)
        try:
            expected = REFERENCES[algorithm](X, triplets, options)
        except NearKink:
            continue
        passive = sum(loss == 0.0 for loss in expected["losses"])
        if algorithm == "lego" or passive >= len(triplets) // 8:
            return seed, X, triplets, expected
    raise SystemExit(f"{name}: no seed gives a case")


def main(folder):
    for name, algorithm, options in CASES:
        seed, X, triplets, expected = make(name, algorithm, options)
        full = algorithm in ("oasis", "lego")
        case = {
            "format": "akin-oracle/1", "name": name, "task": "triplet",
            "algorithm": algorithm, "seed": seed, "params": options,
            "dim": X.shape[1], "vectors": [sparse(x) for x in X],
            "triplets": triplets,
            "init": {"kind": "identity", "k": X.shape[1] if full else K},
            "expected": {k: plain(v) for k, v in expected.items()},
            "required": ["W", "losses"],
            "tol": {"f64": {"abs": 1e-9, "rel": 1e-9}},
        }
        path = os.path.join(folder, name + ".json")
        with open(path, "w", encoding="ascii") as f:
            json.dump(case, f, separators=(",", ":"))
            f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
