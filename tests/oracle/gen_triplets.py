"""Golden cases of the learners from triplets, by slow and obvious references.

    gen_triplets.py OUT_DIR

Each reference keeps all of w in a dense array and does in every round exactly
what the equation says, coordinate by coordinate; nothing is lazy, nothing is
merged. They share no code with the library. Rounds whose hinge lies within
1e-6 of its kink are avoided, so that rounding cannot decide a case.

Notation: a triplet (q, p, n), v = q * (p - n) elementwise, the hinge loss
L = max(0, 1 - w.v); a round is active when L > 0, and then the gradient of L
is g = -v, else g = 0.
"""
import json
import os
import sys

import numpy as np

DIM, ROWS, ENTRIES, ROUNDS = 16, 12, 5, 40
GRAIN = 2.0 ** -20  # values are exact in float and in decimal


def soft(x, a):
    """Shrink towards zero by a."""
    return np.sign(x) * np.maximum(np.abs(x) - a, 0.0)


class NearKink(Exception):
    """A loss so close to zero that rounding would decide."""


def hinge(w, v, exact):
    margin = 1.0 - w @ v
    if not exact and abs(margin) < 1e-6:
        raise NearKink
    return max(0.0, margin)


# ---- the four updates; each is (state, g, t, o) -> w after a step -----------

def start(dim):
    return {"w": np.zeros(dim), "sum": np.zeros(dim), "G": np.zeros(dim)}


def step_tg(s, g, t, o):
    """w <- soft(w - eta g, eta lambda)"""
    del t
    return soft(s["w"] - o["eta"] * g, o["eta"] * o["lambda"])


def step_da(s, g, t, o):
    """w <- -(sqrt t / gamma) soft(mean of g, lambda + gamma rho / sqrt t)"""
    del g
    return -np.sqrt(t) / o["gamma"] * soft(
        s["sum"] / t, o["lambda"] + o["gamma"] * o["rho"] / np.sqrt(t))


def step_afb(s, g, t, o):
    """H = delta + sqrt(sum of g^2), w <- soft(w - eta g/H, eta lambda/H)"""
    del t
    H = o["delta"] + np.sqrt(s["G"])
    w = np.zeros_like(H)
    on = H > 0.0  # H = 0: never touched and delta = 0; w stays 0
    w[on] = soft(s["w"][on] - o["eta"] * g[on] / H[on],
                 o["eta"] * o["lambda"] / H[on])
    return w


def step_ada(s, g, t, o):
    """w <- -(eta t / H) soft(mean of g, lambda)"""
    del g
    H = o["delta"] + np.sqrt(s["G"])
    w = np.zeros_like(H)
    on = H > 0.0
    w[on] = -o["eta"] * t / H[on] * soft(s["sum"][on] / t, o["lambda"])
    return w


def solis(step, X, triplets, o, exact):
    """clock active: only active rounds are steps; all: every round is one."""
    s = start(X.shape[1])
    losses = []
    for t, (q, p, n) in enumerate(triplets, 1):
        v = X[q] * (X[p] - X[n])
        loss = hinge(s["w"], v, exact)
        losses.append(loss)
        g = -v if loss > 0.0 else np.zeros_like(v)
        s["sum"] += g
        s["G"] += g * g
        if loss > 0.0 or o["clock"] == "all":
            s["w"] = step(s, g, t, o)
    return {"w": s["w"], "losses": losses}


# ---- the measures it is compared with --------------------------------------

def oasis_diag(X, triplets, o, exact):
    """w starts at 1; w <- w + min(C, L / |v|^2) v unless v = 0."""
    w = np.ones(X.shape[1])
    losses = []
    for q, p, n in triplets:
        v = X[q] * (X[p] - X[n])
        loss = hinge(w, v, exact)
        losses.append(loss)
        if loss > 0.0 and v @ v > 0.0:
            w = w + min(o["C"], loss / (v @ v)) * v
    return {"w": w, "losses": losses}


def lego_step(a, z, y, eta):
    """argmin over b > 0 of sum(b/a - ln(b/a)) + eta/2 (sum b z^2 - y)^2.

    Setting the derivative to zero: b = a / (1 + c a z^2) with
    c = eta (sum b z^2 - y), which rises with c: found by halving.
    """
    e = a * z * z
    if not e.any():
        return a

    def excess(c):
        return c / eta + y - np.sum(e / (1.0 + c * e))

    low, high = -1.0 / e.max(), 1.0
    while excess(high) < 0.0:
        high *= 2.0
    for _ in range(300):
        mid = 0.5 * (low + high)
        if excess(mid) < 0.0:
            low = mid
        else:
            high = mid
    return a / (1.0 + high * e)


def lego_diag(X, triplets, o, exact):
    """Pull (q, p) to the distance y_sim, push (q, n) to y_dis."""
    a = np.ones(X.shape[1])
    for q, p, n in triplets:
        for other, y, near in ((p, o["y_sim"], True), (n, o["y_dis"], False)):
            z = X[q] - X[other]
            d = a @ (z * z)
            if not exact and abs(d - y) < 1e-6:
                raise NearKink
            done = d <= y if near else d >= y
            if not (o["inequality"] and done):
                a = lego_step(a, z, y, o["eta"])
    return {"w": a}


def qpao(X, triplets, o, exact):
    """min over w >= 0 of |w - w0|^2 / 2 + C sum L, by its dual: w is the
    positive part of u = w0 + sum a_t v_t, each a_t in [0, C] in turn set to
    its best value by halving, until nothing moves."""
    del exact
    V = [X[q] * (X[p] - X[n]) for q, p, n in triplets]
    w0 = np.full(X.shape[1], o["w0"])
    a = np.zeros(len(V))
    for _ in range(4000):
        before = a.copy()
        for t, v in enumerate(V):
            rest = w0 + sum(a[s] * V[s] for s in range(len(V)) if s != t)
            a[t] = best_multiplier(rest, v, o["C"])
        if np.abs(a - before).max() < 1e-13:
            break
    w = np.maximum(0.0, w0 + sum(at * v for at, v in zip(a, V)))
    hinges = sum(max(0.0, 1.0 - w @ v) for v in V)
    return {"w": w, "objective": 0.5 * (w - w0) @ (w - w0) + o["C"] * hinges}


def best_multiplier(rest, v, C):
    """The a in [0, C] where the margin of max(0, rest + a v) crosses 1."""
    def short(a):
        return 1.0 - np.maximum(0.0, rest + a * v) @ v

    if short(0.0) <= 0.0:
        return 0.0
    if short(C) >= 0.0:
        return C
    low, high = 0.0, C
    for _ in range(100):
        mid = 0.5 * (low + high)
        if short(mid) > 0.0:
            low = mid
        else:
            high = mid
    return 0.5 * (low + high)


REFERENCES = {
    "solis-tg": lambda *a: solis(step_tg, *a),
    "solis-da": lambda *a: solis(step_da, *a),
    "solis-afb": lambda *a: solis(step_afb, *a),
    "solis-ada": lambda *a: solis(step_ada, *a),
    "oasis-diag": oasis_diag,
    "lego-diag": lego_diag,
    "qpao": qpao,
}

# ---- data ------------------------------------------------------------------


def random_rows(rng, signed):
    """Sparse rows of three classes: 3 of the class's 4 columns, and 2 others;
    so there is something to learn, and some rounds are passive."""
    X = np.zeros((ROWS, DIM))
    for i, x in enumerate(X):
        own = 4 * (i % 3) + rng.choice(4, ENTRIES - 2, replace=False)
        on = np.concatenate([own, rng.choice(DIM, 2, replace=False)])
        x[on] = rng.integers(2 ** 19, 2 ** 20, ENTRIES) * GRAIN
        if signed:  # a sign for each column of the class, any for the others
            x[own] *= np.where(own % 2, 1.0, -1.0)
            x[on[-2:]] *= rng.choice([-1.0, 1.0], 2)
    return X


def random_triplets(rng, rounds):
    """q and p of one class, n of another; one in eight the wrong way round."""
    triplets = []
    while len(triplets) < rounds:
        q, p, n = (int(i) for i in rng.choice(ROWS, 3, replace=False))
        if q % 3 == p % 3 != n % 3:
            triplets.append([q, n, p] if rng.random() < 0.125 else [q, p, n])
    return triplets


def edge_rows(rng):
    """Row 0 shares no column with the others, rows 1 and 2 are the same, row
    3 is empty: v = 0 in three ways."""
    X = random_rows(rng, False)
    X[:, :2] = 0.0
    X[0] = 0.0
    X[0, :2] = 0.5
    X[2] = X[1]
    X[3] = 0.0
    return X


def exact_margin(rng):
    """Two features, halves and ones: with eta = 1 and lambda = 0 the second
    round meets a margin of exactly 1 and must be passive."""
    del rng
    X = np.zeros((3, DIM))
    X[0, :2] = 1.0
    X[1, 0] = 1.0
    return X, [[0, 1, 2], [0, 1, 2], [0, 2, 1], [0, 1, 2]]



def both_clocks(name, algorithm, **options):
    return [(f"{name}-{clock}", algorithm, {**options, "clock": clock})
            for clock in ("active", "all")]


CASES = (
    both_clocks("solis-tg", "solis-tg", eta=0.5, **{"lambda": 0.01})
    + both_clocks("solis-tg-lambda0", "solis-tg", eta=0.5, **{"lambda": 0.0})
    + both_clocks("solis-tg-edge", "solis-tg", eta=0.5, **{"lambda": 0.02})
    + both_clocks("solis-tg-exact", "solis-tg", eta=1.0, **{"lambda": 0.0})
    + both_clocks("solis-da", "solis-da", gamma=0.5, rho=0.01,
                  **{"lambda": 0.004})
    + both_clocks("solis-da-edge", "solis-da", gamma=0.3, rho=0.0,
                  **{"lambda": 0.01})
    + both_clocks("solis-afb", "solis-afb", eta=0.3, delta=0.05,
                  **{"lambda": 0.01})
    + both_clocks("solis-afb-signed", "solis-afb", eta=0.2, delta=0.0,
                  **{"lambda": 0.003})
    + both_clocks("solis-afb-edge", "solis-afb", eta=0.5, delta=0.1,
                  **{"lambda": 0.02})
    + both_clocks("solis-ada", "solis-ada", eta=0.3, delta=0.05,
                  **{"lambda": 0.004})
    + both_clocks("solis-ada-signed", "solis-ada", eta=0.2, delta=0.0,
                  **{"lambda": 0.002})
    + both_clocks("solis-ada-edge", "solis-ada", eta=0.5, delta=0.1,
                  **{"lambda": 0.01})
    + [("oasis-diag", "oasis-diag", {"C": 0.2}),
       ("oasis-diag-edge", "oasis-diag", {"C": 100.0}),
       ("lego-diag", "lego-diag",
        {"eta": 0.5, "y_sim": 0.4, "y_dis": 1.6, "inequality": False}),
       ("lego-diag-edge", "lego-diag",
        {"eta": 2.0, "y_sim": 0.5, "y_dis": 1.5, "inequality": False}),
       ("lego-diag-inequality", "lego-diag",
        {"eta": 0.5, "y_sim": 0.8, "y_dis": 1.4, "inequality": True}),
       ("qpao", "qpao", {"C": 1.0, "w0": 0.0}),
       ("qpao-ones", "qpao", {"C": 0.3, "w0": 1.0})])


def draw(name, seed):
    """Rows, triplets, and whether margins are exact."""
    rng = np.random.default_rng(seed)
    rounds = 15 if name.startswith("qpao") else ROUNDS
    if "exact" in name:
        X, triplets = exact_margin(rng)
        return X, triplets, True
    if "edge" in name:
        X = edge_rows(rng)
    else:
        X = random_rows(rng, "signed" in name)
    triplets = random_triplets(rng, rounds)
    if "edge" in name:  # no overlap; equal rows; empty query
        triplets[:3] = [[0, 5, 6], [4, 1, 2], [3, 7, 8]]
        triplets[20:22] = [[4, 2, 1], [0, 9, 1]]
    return X, triplets, False


def make(name, algorithm, options):
    for seed in range(1, 1000):
        X, triplets, exact = draw(name, seed)
        try:
            expected = REFERENCES[algorithm](X, triplets, options, exact)
        except NearKink:
            continue
        losses = expected.get("losses")
        passive = losses and sum(loss == 0.0 for loss in losses)
        if losses and not exact and passive < len(losses) // 8:
            continue  # a case that never rests would not test the clocks
        return seed, X, triplets, expected
    raise SystemExit(f"{name}: no seed gives a case")


def sparse(x):
    on = np.flatnonzero(x)
    return {"i": on.tolist(), "v": x[on].tolist()}


def plain(value):
    """NumPy to lists, -0 to 0."""
    return (np.asarray(value) + 0.0).tolist()


def main(folder):
    for name, algorithm, options in CASES:
        seed, X, triplets, expected = make(name, algorithm, options)
        tol = 1e-6 if algorithm == "qpao" else 1e-9
        case = {
            "format": "akin-oracle/1", "name": name,
            "task": "triplet-diagonal", "algorithm": algorithm, "seed": seed,
            "params": options, "dim": X.shape[1],
            "vectors": [sparse(x) for x in X], "triplets": triplets,
            "expected": {k: plain(v) for k, v in expected.items()},
            "required": ["w"],
            "tol": {"f64": {"abs": tol, "rel": tol}},
        }
        path = os.path.join(folder, name + ".json")
        with open(path, "w", encoding="ascii") as f:
            json.dump(case, f, separators=(",", ":"))
            f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
