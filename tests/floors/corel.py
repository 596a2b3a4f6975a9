"""Relevance feedback on colour moments: corel.py AKIN FOLDER [CONCEPTS]

For each concept there are 100 pictures of it and 400 others; 20 and 80 of them are
marked. A metric is learned from the pairs of marked pictures that have a picture of
the concept. Each marked picture of the concept ranks all unmarked pictures. The mean
average precision must reach the value of a correct implementation. Exits 77
(skipped) without the folder or NumPy.
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    np = None

FLOORS = {"euclidean": 30.0, "itml": 45.5}


def akin(program, *words):
    run = subprocess.run([program, *words, "--quiet", "--json"],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(" ".join(words) + ": " + run.stderr)
    return json.loads(run.stdout)


def lay_out(folder, X, classes, concept, rng):
    """The files of one trial."""
    def path(name):
        return os.path.join(folder, name)
    right = rng.permutation(np.flatnonzero(classes == concept))[:100]
    wrong = rng.permutation(np.flatnonzero(classes != concept))[:400]
    rows = X[np.concatenate([right, wrong])]
    span = rows.max(0) - rows.min(0)
    np.save(path("x.npy"), rows)
    np.save(path("01.npy"), ((rows - rows.min(0)) /
                             np.where(span > 0, span, 1)).astype(np.float32))
    np.savetxt(path("y.csv"), np.repeat([1, 0], [100, 400]), fmt="%d")
    marked = np.r_[0:20, 100:180]
    np.savetxt(path("marked"), marked, fmt="%d")
    np.savetxt(path("queries"), marked[:20], fmt="%d")
    np.savetxt(path("pairs"), [(i, j, 1 if j < 100 else -1)
                               for i in range(20) for j in marked if j > i],
               fmt="%d")
    return path


def trial(program, path, learner):
    model, data = path("m.safetensors"), path("x.npy")
    if learner == "euclidean":
        model, data = learner, path("01.npy")
    else:
        akin(program, "train", learner, "--data", data, "--pairs",
             path("pairs"), "--out", model)
    return 100 * akin(program, "eval", model, "--data", data, "--labels",
                      path("y.csv"), "--task", "retrieval", "--query-rows",
                      path("queries"), "--exclude", path("marked"))["map"]


def main(program, folder, concepts="8"):
    if np is None or not os.path.exists(os.path.join(folder, "labels.csv")):
        print("skipped: no such data set, or no NumPy")
        return 77
    X = np.load(os.path.join(folder, "features225.npy"))
    with open(os.path.join(folder, "labels.csv"), encoding="utf-8") as f:
        names = [line.split(",")[0] for line in f.read().split()[1:]]
    classes = np.unique(names, return_inverse=True)[1]
    rng = np.random.default_rng(1)
    got = {learner: [] for learner in FLOORS}
    with tempfile.TemporaryDirectory() as work:
        for concept in range(min(int(concepts), classes.max() + 1)):
            path = lay_out(work, X, classes, concept, rng)
            for learner in FLOORS:
                got[learner].append(trial(program, path, learner))
    for learner, floor in FLOORS.items():
        print("%-10s map %5.1f (floor %.1f)" % (
            learner, np.mean(got[learner]), floor))
    return any(np.mean(got[x]) < floor for x, floor in FLOORS.items())


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
