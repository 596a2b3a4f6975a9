"""One-vs-rest logistic regression as a similarity of documents.

    text_logistic.py AKIN COUNTS.svm [SPLITS [FEATURES]] > rows.json
    akin reproduce loreta --data DIR --beside rows.json

AKIN makes the splits, terms and weights as `akin reproduce loreta` does. A
document becomes the softmax of its scores. Every test document is a query for the
others of its class, by dot product, which is better here than cosine. The same is
done for every fourth class after learning from the others. Prints rows for
--beside.
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.datasets import load_svmlight_files
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier


def mean_average_precision(Z, y):
    total, count = 0.0, 0
    for i in range(len(y)):
        order = np.argsort(-(Z @ Z[i]), kind="stable")
        order = order[order != i]
        hits = np.flatnonzero(y[order] == y[i])
        if len(hits):
            total += np.mean((np.arange(len(hits)) + 1) / (hits + 1))
            count += 1
    return 100.0 * total / count


def softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def one(X, y, T, u):
    """mAP of T after learning from X, and the seconds that took."""
    model = OneVsRestClassifier(LogisticRegression(C=10.0, max_iter=300))
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    return mean_average_precision(softmax(model.decision_function(T)), u), \
        seconds


def keep(path, to, wanted):
    """Copy the lines whose label is wanted."""
    with open(path) as lines, open(to, "w") as out:
        out.writelines(l for l in lines if wanted(int(l.split(" ", 1)[0])))


def rows_of(akin, folder, features, known, asked):
    """Rows and labels of both parts of a split, of the classes wanted, through
    the recipe of the first."""
    at = lambda name: os.path.join(folder, name)
    keep(at("a.svm"), at("train.svm"), known)
    keep(at("b.svm"), at("test.svm"), asked)
    call(akin, "text", at("train.svm"), "--features", features, "--select",
         "infogain", "--weights", "tfidf", "--norm", "l2", "--save-recipe",
         at("recipe.safetensors"), "--out", at("x.svm"))
    call(akin, "text", at("test.svm"), "--recipe", at("recipe.safetensors"),
         "--out", at("t.svm"))
    return load_svmlight_files([at("x.svm"), at("t.svm")])


def call(akin, *words):
    subprocess.run([akin, *words, "--quiet"], check=True,
                   stdout=subprocess.DEVNULL)


def row(table, results, features):
    maps = [r[0] for r in results]
    se = np.std(maps, ddof=1) / math.sqrt(len(maps)) if len(maps) > 1 else None
    made = {"dataset": "ng20", "table": table,
            "method": "logistic one-vs-rest", "features": features,
            "map": float(np.mean(maps)),
            "seconds": float(np.mean([r[1] for r in results])),
            "setting": "scikit-learn, softmax of the scores, dot"}
    return {**made, "se": float(se)} if se is not None else made


def main(akin, counts, splits="5", features="16660"):
    seen, unseen = [], []
    for s in range(int(splits)):
        with tempfile.TemporaryDirectory() as folder:
            call(akin, "split", counts, "--fraction", "0.65", "--seed",
                 str(1 + s), "--out", os.path.join(folder, "a.svm"),
                 os.path.join(folder, "b.svm"))
            all_of_them = lambda label: True
            seen.append(one(*rows_of(akin, folder, features, all_of_them,
                                     all_of_them)))
            unseen.append(one(*rows_of(akin, folder, features,
                                       lambda label: label % 4 != s % 4,
                                       lambda label: label % 4 == s % 4)))
    print(json.dumps([row("100000 triplets", seen, int(features)),
                      row("classes not in training", unseen, int(features))],
                     indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
