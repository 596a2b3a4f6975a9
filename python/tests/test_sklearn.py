"""Estimators among those of scikit-learn."""
import inspect
import sys
import types

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import akin
from akin import _learners

# Little is learned: what is checked is how estimators behave.
QUICK = {"sample": 1000, "passes": 1, "verdict": "none", "max_sweeps": 20}
# To choose how they compare rows takes long.
FIXED = {"QPAO": "cosine", "ARCT": "cosine", "RSL": "dot"}


@pytest.mark.parametrize("name", _learners.__all__)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(name):
    kind = getattr(akin, name)
    known = inspect.signature(kind).parameters
    quick = {k: v for k, v in QUICK.items() if k in known}
    if name in FIXED or {"passes", "compare"} <= set(known):
        quick["compare"] = FIXED.get(name, "cosine")
    check_estimator(kind(**quick))


def test_pipelines(iris):
    X, y = iris
    p = make_pipeline(StandardScaler(), akin.LDA(verdict="none"),
                      KNeighborsClassifier(3))
    assert cross_val_score(p, X, y, cv=3).mean() > 0.9
    assert len(p[:-1].fit(X, y).get_feature_names_out()) == 2


def test_searches(iris):
    X, y = iris
    search = GridSearchCV(akin.LoretaPSD(verdict="none", sample=2000),
                          {"rank": [2, 4], "scale": ["zscore", "minmax"]},
                          cv=3).fit(X, y)
    assert search.best_score_ > 0.85
    assert search.best_estimator_.rank in (2, 4)
    # In processes, so that estimators are pickled.
    parallel = cross_val_score(akin.LDA(verdict="none"), X, y, cv=3, n_jobs=2)
    assert parallel.mean() > 0.9


def test_clones(iris):
    e = akin.LoretaPSD(rank=3).fit(*iris)
    other = clone(e)
    assert other.get_params() == e.get_params()
    assert not hasattr(other, "classes_")
    assert repr(other) == "LoretaPSD(rank=3)"
    with pytest.raises(ValueError, match="Invalid parameter 'rang'"):
        other.set_params(rang=3)


def test_metrics_are_taken(iris):
    X, y = iris
    e = akin.ITML(verdict="none").fit(X, y)
    knn = KNeighborsClassifier(3, metric=e.get_metric()).fit(X[::3], y[::3])
    assert knn.score(X[1::3], y[1::3]) > 0.9


def test_what_kind_it_is():
    assert is_classifier(akin.LDA()) and not is_classifier(akin.PCA())


def test_tags_of_later_versions(monkeypatch):
    """scikit-learn 1.6 asks for dataclasses of sklearn.utils."""
    import sklearn.utils
    for name in ("ClassifierTags", "InputTags", "Tags", "TargetTags",
                 "TransformerTags"):
        monkeypatch.setattr(sklearn.utils, name, types.SimpleNamespace,
                            raising=False)
    tags = akin.LDA().__sklearn_tags__()
    assert tags.estimator_type == "classifier" and tags.target_tags.required
    assert tags.input_tags.sparse and tags.input_tags.two_d_array
    assert tags.transformer_tags.preserves_dtype == ["float32"]
    tags = akin.Perceptron().__sklearn_tags__()
    assert tags.transformer_tags is None
    assert akin.PCA().__sklearn_tags__().estimator_type is None


def test_pandas_by_the_configuration_of_scikit_learn(iris):
    import pandas as pd
    import sklearn
    X, y = iris
    e = akin.PCA().fit(X)
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(e.transform(X), pd.DataFrame)
    assert isinstance(e.transform(X), np.ndarray)


def test_dask_ships_estimators(iris):
    """Fitted ones go to workers in other processes, and transform there."""
    distributed = pytest.importorskip("distributed")
    X, y = iris
    e = akin.LDA(verdict="none", n_jobs=1).fit(X, y)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1,
                                  dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        parts = client.map(e.transform, np.array_split(X, 4))
        got = np.concatenate(client.gather(parts))
        fitted = client.submit(lambda: akin.LDA(verdict="none").fit(X, y))
        predicted = fitted.result().predict(X)
    np.testing.assert_array_equal(got, e.transform(X))
    np.testing.assert_array_equal(predicted, e.predict(X))
    assert "distributed" in sys.modules
