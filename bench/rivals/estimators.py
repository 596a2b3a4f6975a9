#!/usr/bin/env python3
"""Estimators of akin beside those of scikit-learn and metric-learn: seconds to
fit, and the error of the nearest neighbour in the learned space.

    estimators.py [DATASET...]

Datasets are those of scikit-learn: wine, iris, breast_cancer, digits. Rows are
standardised; errors are means over five folds. Prints one JSON line for each
method. metric-learn is left out where it is not installed.
"""
import json
import sys
import time
import warnings

import numpy as np
from sklearn import datasets
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import (KNeighborsClassifier,
                               NeighborhoodComponentsAnalysis)
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import akin


def methods():
    yield "euclidean", FunctionTransformer()
    yield "sklearn.LDA", LinearDiscriminantAnalysis()
    yield "sklearn.NCA", NeighborhoodComponentsAnalysis(random_state=0)
    for kind in (akin.LDA, akin.NCA, akin.LMNN, akin.ITML, akin.LoretaPSD,
                 akin.OASIS):
        yield f"akin.{kind.__name__}", kind(verdict="none")
    try:
        import metric_learn
    except ImportError:
        return
    for name in ("NCA", "LMNN", "LFDA", "ITML_Supervised"):
        yield f"metric_learn.{name}", getattr(metric_learn, name)()


def measure(estimator, X, y):
    """(seconds to fit, error), each a mean over folds."""
    seconds, errors = [], []
    for train, test in StratifiedKFold(5, shuffle=True,
                                       random_state=0).split(X, y):
        scaler = StandardScaler().fit(X[train])
        a, b = scaler.transform(X[train]), scaler.transform(X[test])
        e = clone(estimator)
        start = time.perf_counter()
        e.fit(a, y[train])
        seconds.append(time.perf_counter() - start)
        nearest = KNeighborsClassifier(1).fit(e.transform(a), y[train])
        errors.append(1 - nearest.score(e.transform(b), y[test]))
    return np.mean(seconds), np.mean(errors)


def main():
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or ["wine", "breast_cancer", "digits"]:
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        for method, estimator in methods():
            seconds, error = measure(estimator, X, y)
            print(json.dumps({
                "bench": "estimators", "data": name, "rows": len(X),
                "dim": X.shape[1], "method": method,
                "seconds": round(seconds, 4), "error": round(error, 4)}),
                flush=True)


if __name__ == "__main__":
    main()
