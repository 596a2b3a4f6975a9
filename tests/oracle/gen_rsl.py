"""Cases of rsl, the slow and obvious way: W and its gradient as full matrices.

    gen_rsl.py FOLDER

The gradient on the manifold is the projection of the full one, its Hessian the
second difference of J along truncated SVDs, the minimum that of L-BFGS-B on
both factors.
"""
import json
import os
import sys

import numpy as np
from scipy.optimize import minimize


def losses(kind, y, f):
    z = y * f
    if kind == "log":
        return np.logaddexp(0, -z), -y / (1 + np.exp(z))
    if kind == "hinge2":
        return np.maximum(0, 1 - z) ** 2, -2 * y * np.maximum(0, 1 - z)
    return (f - y) ** 2, 2 * (f - y)


def full(W, c):
    """J and its gradient by every entry of W."""
    p = c["params"]
    X, Y = np.array(c["inputs"]["X1"]), np.array(c["inputs"]["X2"])
    y = np.array(c["inputs"]["y"], float)
    v, g = losses(p["loss"], y, np.einsum("it,ij,jt->t", X, W, Y))
    n = np.linalg.norm(W)
    J = p["scale"] * v.sum() + (p["lambda"] * n if p["reg"] == "fro"
                                else p["lambda"] / 2 * n * n)
    pull = p["lambda"] / n if p["reg"] == "fro" else p["lambda"]
    return J, p["scale"] * X @ np.diag(g) @ Y.T + pull * W


def project(U, V, Z):
    PU, PV = U @ U.T, V @ V.T
    return PU @ Z + Z @ PV - PU @ Z @ PV


def truncate(Z, k):
    u, s, vt = np.linalg.svd(Z)
    return u[:, :k] * s[:k] @ vt[:k], s[:k]


def problem(rng, n1, n2, t, k, loss, reg="sq", lam=0.3, scale=None):
    U = np.linalg.qr(rng.standard_normal((n1, k)))[0]
    V = np.linalg.qr(rng.standard_normal((n2, k)))[0]
    s = 0.5 + np.arange(k, 0, -1) / 4
    W = rng.standard_normal((n1, k)) @ rng.standard_normal((k, n2))
    X, Y = rng.standard_normal((n1, t)), rng.standard_normal((n2, t))
    f = np.einsum("it,ij,jt->t", X, W, Y) + rng.standard_normal(t)
    return {"params": {"loss": loss, "reg": reg, "lambda": lam,
                       "scale": scale or 1 / t, "rank": k},
            "inputs": {"X1": X.tolist(), "X2": Y.tolist(),
                       "y": np.where(f > 0, 1, -1).tolist(), "U": U.tolist(),
                       "s": s.tolist(), "V": V.tolist()}}


def point(c):
    i = c["inputs"]
    return np.array(i["U"]), np.array(i["s"]), np.array(i["V"])


def tangent(rng, c):
    U, s, V = point(c)
    k = len(s)
    M = rng.standard_normal((k, k))
    Up, Vp = rng.standard_normal(U.shape), rng.standard_normal(V.shape)
    Up, Vp = Up - U @ (U.T @ Up), Vp - V @ (V.T @ Vp)
    c["inputs"].update(M=M.tolist(), Up=Up.tolist(), Vp=Vp.tolist())
    return U @ M @ V.T + Up @ V.T + U @ Vp.T


def gradient(rng, *shape, **more):
    c = problem(rng, *shape, **more)
    U, s, V = point(c)
    J, G = full(U * s @ V.T, c)
    G = project(U, V, G)
    c["expected"] = {"J": J, "grad": G.tolist(),
                     "grad_norm": np.linalg.norm(G)}
    return "rsl_grad", c, 1e-10


def hessian(rng, *shape, **more):
    """<xi, H xi> by differences of the fourth order along truncations."""
    c = problem(rng, *shape, **more)
    U, s, V = point(c)
    xi, W, h = tangent(rng, c), U * s @ V.T, 2e-3
    J = {i: full(truncate(W + i * h * xi, len(s))[0], c)[0]
         for i in (-2, -1, 0, 1, 2)}
    quad = (16 * (J[1] + J[-1]) - J[2] - J[-2] - 30 * J[0]) / (12 * h * h)
    c["expected"] = {"quad": quad}
    return "rsl_hessvec", c, 1e-6


def retraction(rng, n1, n2, k):
    c = problem(rng, n1, n2, 3, k, "log")
    U, s, V = point(c)
    W, values = truncate(U * s @ V.T + tangent(rng, c), k)
    for key in ("X1", "X2", "y"):
        del c["inputs"][key]
    c["expected"] = {"W": W.tolist(), "singular_values": values.tolist()}
    return "rsl_retract", c, 1e-10


def lowest(c, rng, starts=12):
    """The lowest J over starts, both factors free, and its W."""
    n1, n2 = len(c["inputs"]["X1"]), len(c["inputs"]["X2"])
    k = c["params"]["rank"]

    def both(x):
        A, B = x[:n1 * k].reshape(n1, k), x[n1 * k:].reshape(n2, k)
        J, G = full(A @ B.T, c)
        return J, np.concatenate([(G @ B).ravel(), (G.T @ A).ravel()])
    runs = [minimize(both, rng.standard_normal((n1 + n2) * k), jac=True,
                     method="L-BFGS-B",
                     options=dict(maxiter=20000, ftol=0, gtol=1e-11))
            for _ in range(starts)]
    x = min(runs, key=lambda r: r.fun).x
    return x[:n1 * k].reshape(n1, k) @ x[n1 * k:].reshape(n2, k).T


def training(rng, *shape, **more):
    """From near the minimum, so that there is no other to end in."""
    c = problem(rng, *shape, **more)
    W = lowest(c, rng)
    u, s, vt = np.linalg.svd(W + 1e-2 * rng.standard_normal(W.shape))
    k = c["params"]["rank"]
    X, Y = rng.standard_normal((len(W), 4)), rng.standard_normal((W.shape[1], 4))
    c["inputs"].update(U=u[:, :k].tolist(), s=s[:k].tolist(),
                       V=vt[:k].T.tolist(), X1_test=X.tolist(),
                       X2_test=Y.tolist())
    c["expected"] = {"J": full(W, c)[0], "W": W.tolist(), "monotone": True,
                     "scores": np.einsum("it,ij,jt->t", X, W, Y).tolist()}
    return "rsl_train", c, 1e-6


def main(folder):
    rng = np.random.default_rng(4)
    made = {
        "rsl-gradient-log": gradient(rng, 6, 4, 18, 2, "log"),
        "rsl-gradient-hinge2": gradient(rng, 4, 7, 25, 3, "hinge2"),
        "rsl-gradient-fro": gradient(rng, 5, 5, 20, 1, "ridge", reg="fro"),
        "rsl-gradient-whole-rank": gradient(rng, 3, 6, 20, 3, "log"),
        "rsl-hessian-log": hessian(rng, 6, 4, 18, 2, "log"),
        "rsl-hessian-fro": hessian(rng, 5, 7, 30, 3, "ridge", reg="fro"),
        "rsl-retraction": retraction(rng, 7, 5, 2),
        "rsl-retraction-wide": retraction(rng, 3, 9, 3),
        "rsl-train-log": training(rng, 6, 5, 60, 2, "log", lam=0.05),
        "rsl-train-ridge": training(rng, 4, 5, 50, 1, "ridge", scale=1.0),
    }
    for name, (algorithm, c, rel) in made.items():
        c = {"format": "akin-oracle/1", "name": name, "algorithm": algorithm,
             **c, "required": list(c["expected"]),
             "tol": {"f64": {"rel": rel, "abs": rel * 1e-2}}}
        with open(os.path.join(folder, name + ".json"), "w",
                  encoding="ascii") as out:
            json.dump(c, out, separators=(",", ":"))
            out.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
