"""Golden cases of what is learned from captions.

    gen_bags.py OUT_DIR

Faces are columns of X; img is the photo of each and names the caption of each
photo. The references go by the definitions, over all labels of a photo:

    mms     sigma/2 |W|^2 + mean over photos of [max over labels that do not fit
            of (loss + s) - max over labels that fit of s]_+, s the sum of w.x,
            0 for no name
    mildml  -mean over pairs of photos of t log p + (1 - t) log(1 - p),
            p = 1 / (1 + exp(d - b)), d of the two nearest faces
    lr-svm  sum over names of |X_c - E_c|_* + lambda |E_c|_1 by its steps, with
            full decompositions and all labels of a photo
"""
import itertools
import sys

import numpy as np
from gen_rows import write


def loss(z, caption, null):
    """Faces that must change: names not in the caption, repeats."""
    wrong = sum(q != null and q not in caption for q in z)
    return wrong + sum(max(0, z.count(q) - 1) for q in caption)


def mms(X, img, names, p, W, sigma):
    value = 0.0
    G = sigma * W
    for i, caption in enumerate(names):
        faces = [f for f in range(X.shape[1]) if img[f] == i]
        S = np.array([[*(W @ X[:, f]), 0.0] for f in faces])
        fits, others = [], []
        for z in itertools.product(range(p + 1), repeat=len(faces)):
            s = sum(S[k, q] for k, q in enumerate(z))
            wrong = loss(z, caption, p)
            (others if wrong else fits).append((s + wrong, z))
        if not faces or not others:
            continue
        best, worst = max(fits), max(others)
        if worst[0] <= best[0]:
            continue
        value += (worst[0] - best[0]) / len(names)
        for z, sign in ((worst[1], 1.0), (best[1], -1.0)):
            for f, q in zip(faces, z):
                if q < p:
                    G[q] += sign * X[:, f] / len(names)
    return {"objective": value + sigma / 2 * np.sum(W * W),
            "subgradient": G.tolist()}


def mildml(X, img, names, L, b):
    value, pairs = 0.0, 0
    slope, slope_b = np.zeros_like(L), 0.0
    for i in range(len(names)):
        for j in range(i):
            near = [(np.sum((L.T @ (X[:, f] - X[:, g])) ** 2), f, g)
                    for f in range(X.shape[1]) if img[f] == i
                    for g in range(X.shape[1]) if img[g] == j]
            if not near:
                continue
            d, f, g = min(near)
            t = float(bool(set(names[i]) & set(names[j])))
            q = 1 / (1 + np.exp(d - b))
            v = X[:, f] - X[:, g]
            value -= t * np.log(q) + (1 - t) * np.log(1 - q)
            slope += 2 * (t - q) * np.outer(v, v) @ L
            slope_b += q - t
            pairs += 1
    return {"value": value / pairs, "slope": (slope / pairs).tolist(),
            "slope_b": slope_b / pairs}


def best_labels(score, null):
    """Of the labels that give away as many names as can be those of largest
    total, the first of them, no name last."""
    n, r = score.shape
    fits = []
    for z in itertools.product([*range(r), null], repeat=n):
        given = [q for q in z if q != null]
        if len(set(given)) == len(given) == min(n, r):
            total = sum(score[f, q] for f, q in enumerate(z) if q != null)
            fits.append((total, [r if q == null else q for q in z], z))
    most = max(total for total, _, _ in fits)
    return min(order for total, order, _ in fits if total > most - 1e-10)


def lr_svm(X, img, names, p, lam, rho, delta, steps):
    rows = [(i, q) for i, caption in enumerate(names) for q in caption]
    faces = [[f for f in range(X.shape[1]) if img[f] == i]
             for i in range(len(names))]
    XP = np.array([X[:, faces[i]].mean(axis=1) if faces[i]
                   else np.zeros(len(X)) for i, _ in rows])
    E, U = np.zeros_like(XP), np.zeros_like(XP)
    labels = [p] * X.shape[1]
    for _ in range(steps):
        A, rank = np.zeros_like(XP), 0.0
        for c in range(p):
            mine = [k for k, (_, q) in enumerate(rows) if q == c]
            if mine:
                u, s, vt = np.linalg.svd((XP - E + U / rho)[mine],
                                         full_matrices=False)
                s = np.maximum(s - 1 / rho, 0)
                A[mine] = u * s @ vt
                rank += s.sum()
        E = XP - A + U / rho
        E = np.sign(E) * np.maximum(abs(E) - lam / rho, 0)
        B = A + E - U / rho
        XP = np.zeros_like(XP)
        for i, caption in enumerate(names):
            at = [k for k, (photo, _) in enumerate(rows) if photo == i]
            score = np.array([[2 * X[:, f] @ B[k] - X[:, f] @ X[:, f]
                               for k in at] for f in faces[i]])
            if not faces[i] or not at:
                continue
            for f, q in zip(faces[i], best_labels(score, -1)):
                labels[f] = caption[q] if q < len(at) else p
                if q < len(at):
                    XP[at[q]] = X[:, f]
        U = U + rho * (XP - A - E)
        rho *= 1 + delta
    return {"labels": labels, "objective": rank + lam * abs(E).sum()}


def draw(rng, d, p, m):
    """Photos of none to three faces, captions of none to three names."""
    img, names = [], []
    for i in range(m):
        img += [i] * int(rng.integers(0 if i > 2 else 1, 4))
        names.append(sorted(int(q) for q in rng.choice(
            p, size=int(rng.integers(0, 4)), replace=False)))
    return rng.normal(size=(d, len(img))), img, names


def main(folder):
    rng = np.random.default_rng(11)
    for name, sigma in (("mms", 0.2), ("mms-plain", 1e-3)):
        X, img, names = draw(rng, 3, 4, 9)
        W = rng.normal(size=(4, 3))
        write(folder, name, "mms_objective",
              mms(X, img, names, 4, W, sigma), params={"sigma": sigma, "p": 4},
              inputs={"X": X.tolist(), "img": img, "names": names,
                      "W": W.tolist()})
    for name, rank in (("mildml", 2), ("mildml-full", 4)):
        X, img, names = draw(rng, 4, 5, 12)
        L, b = rng.normal(size=(4, rank)), 1.5
        write(folder, name, "mildml_value", mildml(X, img, names, L, b),
              params={"b": b, "p": 5},
              inputs={"X": X.tolist(), "img": img, "names": names,
                      "L": L.tolist()})
    for name, steps in (("lr-svm", 4), ("lr-svm-long", 40)):
        X, img, names = draw(rng, 4, 5, 14)
        p = {"lambda": 0.2, "rho": 0.5, "delta_rho": 0.2, "steps": steps, "p": 5}
        write(folder, name, "lr_associate",
              lr_svm(X, img, names, 5, 0.2, 0.5, 0.2, steps), params=p,
              inputs={"X": X.tolist(), "img": img, "names": names})


if __name__ == "__main__":
    main(sys.argv[1])
