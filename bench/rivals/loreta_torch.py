"""A linear layer with a triplet loss in PyTorch, compared with loreta-psd: the
time to equal mean average precision on documents.

    loreta_torch.py AKIN COUNTS.svm [TRIPLETS [TIMES]]

The obvious code without akin: nn.EmbeddingBag of rank 30 over the words (sparse
gradients), relu(1 - q.p + q.n) on batches of 128 triplets drawn from the labels,
SparseAdam. Both learn from the same 65 % of the documents, as tf-idf and rows of
length 1; the rest are queries, compared by cosine. Only learning is timed, on one
thread, in CPU seconds for PyTorch. It stops when it is as good as akin, or after
TIMES [30] times the time of akin. Prints one JSON line for each learning rate.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
from sklearn.datasets import load_svmlight_file

RANK, BATCH, LOOK = 30, 128, 50
RATES = (0.01, 0.1)
EVERY = 10  # of the documents that are left out, one in so many asks


def akin_json(*command):
    done = subprocess.run([*command, "--json", "--quiet"], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def ours(akin, folder, counts, triplets):
    """Files of both parts, and what loreta-psd makes of them."""
    parts = [os.path.join(folder, name) for name in ("a.svm", "b.svm")]
    model = os.path.join(folder, "m.safetensors")
    subprocess.run([akin, "split", counts, "--fraction", "0.65", "--by-class",
                    "--quiet", "--out", *parts], check=True)
    learned = akin_json(akin, "train", "loreta-psd", "--data", parts[0],
                        "--sample", str(triplets), "--rank", str(RANK),
                        "--eta", "10", "--threads", "1", "--out", model)
    subprocess.run([akin, "embed", model, "--data", parts[1], "--quiet",
                    "--out", os.path.join(folder, "b.npy")], check=True)
    return parts, learned["seconds"], np.load(os.path.join(folder, "b.npy"))


def tfidf(X, idf):
    X = X.multiply(idf).tocsr()
    norm = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    return X.multiply(1.0 / np.maximum(norm, 1e-12)[:, None]).tocsr()


def mean_ap(E, y):
    """Every tenth row asks, all others are ranked by cosine."""
    E = E / np.maximum(np.linalg.norm(E, axis=1, keepdims=True), 1e-12)
    found = []
    for q in range(0, len(E), EVERY):
        scores = E @ E[q]
        scores[q] = -np.inf
        hits = y[np.argsort(-scores, kind="stable")[:-1]] == y[q]
        if hits.any():
            at = np.flatnonzero(hits)
            found.append(np.mean(np.arange(1, len(at) + 1) / (at + 1)))
    return float(np.mean(found))


def bags(X, rows):
    """Words, where each row begins, weights: what EmbeddingBag takes."""
    part = X[rows]
    return (torch.from_numpy(part.indices.astype(np.int64)),
            torch.from_numpy(part.indptr[:-1].astype(np.int64)),
            torch.from_numpy(part.data.astype(np.float32)))


def draw(rng, y, members):
    q = rng.integers(len(y), size=BATCH)
    p = np.array([rng.choice(members[y[i]]) for i in q])
    n = rng.integers(len(y), size=BATCH)
    while (y[n] == y[q]).any():
        n = np.where(y[n] == y[q], rng.integers(len(y), size=BATCH), n)
    return np.concatenate([q, p, n])


def rival(X, y, X_test, y_test, rate, goal, limit):
    """Seconds, triplets and precision when the goal or the limit is met."""
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    layer = torch.nn.EmbeddingBag(X.shape[1], RANK, mode="sum", sparse=True)
    torch.nn.init.normal_(layer.weight, std=0.1)
    best = torch.optim.SparseAdam(list(layer.parameters()), lr=rate)
    members = {c: np.flatnonzero(y == c) for c in np.unique(y)}
    seconds, steps, reached = 0.0, 0, 0.0
    while seconds < limit and reached < goal:
        start = time.process_time()
        for _ in range(LOOK):
            words, begin, weights = bags(X, draw(rng, y, members))
            e = layer(words, begin, per_sample_weights=weights)
            q, p, n = e[:BATCH], e[BATCH:2 * BATCH], e[2 * BATCH:]
            loss = torch.relu(1 - (q * (p - n)).sum(1)).mean()
            best.zero_grad()
            loss.backward()
            best.step()
        seconds += time.process_time() - start
        steps += LOOK
        with torch.no_grad():
            words, begin, weights = bags(X_test, np.arange(X_test.shape[0]))
            E = layer(words, begin, per_sample_weights=weights).numpy()
        reached = mean_ap(E, y_test)
    return seconds, steps * BATCH, reached


def main(akin, counts, triplets=100000, times=30.0):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        parts, seconds, E = ours(akin, folder, counts, int(triplets))
        X, y = load_svmlight_file(parts[0])
        X_test, y_test = load_svmlight_file(parts[1], n_features=X.shape[1])
    goal = mean_ap(E, y_test)
    df = np.maximum(np.bincount(X.indices, minlength=X.shape[1]), 1)
    idf = np.log(X.shape[0] / df)
    X, X_test = tfidf(X, idf), tfidf(X_test, idf)
    for rate in RATES:
        theirs, seen, reached = rival(X, y, X_test, y_test, rate, goal,
                                      float(times) * seconds)
        print(json.dumps({
            "bench": "loreta", "what": "rival", "rival": "torch",
            "rate": rate, "akin_triplets": int(triplets),
            "akin_seconds": round(seconds, 3), "akin_map": round(goal, 4),
            "rival_triplets": seen, "rival_seconds": round(theirs, 1),
            "rival_map": round(reached, 4), "reached": reached >= goal,
            "times_faster": round(theirs / seconds, 1)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
