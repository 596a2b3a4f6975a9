"""Graphical lasso of scikit-learn and of R, compared with akin's solver.

    sice_glasso.py BENCH_SICE [SIZES]     [225,500]

The same covariance, the same penalty on every entry, one thread, CPU seconds, and
the same certified gap: the tolerance of each program is lowered by factors of ten
until the duality gap of its result, computed here, is at most 1e-6, and that run
counts. Covariances are of 2 m rows in which neighbouring columns correlate
("chain"). R takes part from m = 500 on, where Rscript and its package glasso are
installed. Prints one JSON line for each measurement.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

GAP, LIMIT = 1e-6, 60.0
PENALTIES = (0.05, 0.1, 0.2)

R_CODE = """
a <- commandArgs(TRUE); m <- as.integer(a[2]); rho <- as.numeric(a[3])
S <- matrix(readBin(a[1], "double", m * m), m)
suppressMessages(library(glasso))
t <- proc.time()
g <- glasso(S, rho, thr = as.numeric(a[4]), maxit = 10000)
cat(sum((proc.time() - t)[1:2]), "\\n")
writeBin(as.vector(g$wi), a[5])
"""


def gap(M, S, rho):
    """At most so far above the minimum; infinite when that is not known."""
    M = (M + M.T) / 2
    m = len(S)
    try:
        logdet = 2 * np.log(np.diag(np.linalg.cholesky(M))).sum()
        Z = S + np.clip(np.linalg.inv(M) - S, -rho, rho)
        np.fill_diagonal(Z, np.diag(S) + rho)
        bound = 2 * np.log(np.diag(np.linalg.cholesky(Z))).sum() + m
    except np.linalg.LinAlgError:
        return np.inf
    return -logdet + (S * M).sum() + rho * np.abs(M).sum() - bound


def chain(m):
    rng = np.random.default_rng(m)
    X = rng.standard_normal((2 * m, m))
    X[:, 1:] += 0.6 * X[:, :-1]
    return np.cov(X.T)


def sklearn_run(S, rho, tol, _path, _folder):
    from sklearn.covariance import graphical_lasso
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        M = graphical_lasso(S + rho * np.eye(len(S)), rho, tol=tol,
                            enet_tol=min(tol, 1e-4), max_iter=1000)[1]
    return time.process_time() - start, M


def r_run(S, rho, tol, path, folder):
    out = os.path.join(folder, "wi.bin")
    done = subprocess.run(["Rscript", "-e", R_CODE, path, str(len(S)),
                           str(rho), str(tol), out],
                          check=True, capture_output=True, text=True)
    return float(done.stdout), np.fromfile(out).reshape(S.shape)


def rival(name, run, S, rho, path, folder):
    seconds, reached, tol = 0.0, np.inf, 1e-2
    while reached > GAP and tol > 1e-14 and seconds < LIMIT:
        tol /= 10
        seconds, M = run(S, rho, tol, path, folder)
        reached = gap(M, S, rho)
    return {"bench": "sice", "rival": name, "m": len(S), "rho": rho,
            "seconds": round(seconds, 4), "gap": reached, "tol": tol}


def have_r():
    try:
        return subprocess.run(["Rscript", "-e", "library(glasso)"],
                              capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def main(bench, sizes="225,500"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sigma.bin")
        for m in map(int, sizes.split(",")):
            S = chain(m)
            S.tofile(path)
            for rho in PENALTIES:
                done = subprocess.run([bench, path, str(m), str(rho)],
                                      check=True, capture_output=True,
                                      text=True)
                ours = json.loads(done.stdout)
                print(json.dumps(ours))
                rivals = [("scikit-learn", sklearn_run)]
                if m >= 500 and have_r():
                    rivals.append(("R glasso", r_run))
                for name, run in rivals:
                    row = rival(name, run, S, rho, path, folder)
                    row["times_akin"] = round(
                        row["seconds"] / ours["seconds"], 2)
                    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
