"""What estimators do with rows, pairs, triplets, pieces and files."""
import copy
import io
import pickle
import sys

import numpy as np
import pytest
from scipy import sparse

import akin


def quick(kind, **params):
    return kind(verdict="none", **params)


# ---- pairs, triplets, quadruplets ----

def test_tuples_as_metric_learn_has_them(iris, pairs, triplets):
    X, _ = iris
    ij, y = pairs
    by_number = akin.ITML().fit_pairs(X, ij, y)
    expected = by_number.pair_score(X, ij)
    by_preprocessor = akin.ITML(preprocessor=X).fit(ij, y)
    by_rows = akin.ITML().fit(X[ij], y)
    for e, given in ((by_preprocessor, ij), (by_rows, X[ij])):
        np.testing.assert_allclose(e.pair_score(given), expected, rtol=0.02,
                                   atol=0.02)
        assert set(e.predict(given)) == {-1, 1}
        assert np.mean(e.predict(given) == y) > 0.9
        assert 0.9 < e.score(given, y) <= 1
    t = quick(akin.OASIS, preprocessor=X).fit(triplets)
    assert t.score(triplets) > 0.9
    assert t.score(triplets[:, [0, 2, 1]]) < 0.1
    by_function = akin.ITML(preprocessor=lambda i: X[i]).fit(ij, y)
    np.testing.assert_array_equal(by_function.pair_score(ij),
                                  by_preprocessor.pair_score(ij))


def test_tuples_are_scored_by_scikit_learn(iris, pairs):
    from sklearn.model_selection import cross_val_score
    X, labels = iris
    ij, y = pairs
    e = quick(akin.ITML, preprocessor=X)
    assert not hasattr(e, "decision_function")
    assert not hasattr(quick(akin.ITML).fit(X, labels), "decision_function")
    assert cross_val_score(e, ij, y, cv=3, scoring="roc_auc").min() > 0.9
    assert cross_val_score(e, ij, y, cv=3, scoring="accuracy").min() > 0.8
    np.testing.assert_array_equal(e.fit(ij, y).decision_function(ij),
                                  e.pair_score(ij))
    assert list(e.classes_) == [-1, 1]
    assert list(e.set_params(preprocessor=None).fit(X, labels).classes_) == \
        [0, 1, 2]


def test_triplets_and_quadruplets_are_predicted(iris, triplets):
    X, y = iris
    e = quick(akin.OASIS, preprocessor=X).fit(triplets)
    q, p, n = triplets.T
    for given in (triplets, np.column_stack([q, p, q, n])):
        margin = e.decision_function(given)
        np.testing.assert_array_equal(e.predict(given),
                                      np.where(margin > 0, 1, -1))
        assert np.mean(e.predict(given) == 1) == \
            pytest.approx(e.score(given), abs=0.01)
        assert np.mean(e.predict(given) == 1) > 0.9
    same = np.column_stack([q, p, p])
    assert set(e.predict(same)) == {-1} and e.score(same) == 0.5
    e.set_params(preprocessor=None).partial_fit(X, y)
    assert list(e.classes_) == [0, 1, 2]


def test_row_numbers_without_rows_are_warned_of(iris, pairs):
    ij, y = pairs
    with pytest.warns(akin.AkinWarning, match="use fit_pairs"):
        quick(akin.ITML).fit(ij, y)


@pytest.mark.parametrize("rows, given, match", [
    ("foo", [[0, 1]], "neither an array of rows nor a function: 'foo'"),
    ([1, 2, 3], [[0, 1]], "neither an array of rows"),
    (np.eye(3), [[0, 3]], "no row 3 in the preprocessor: it has 3"),
    (np.eye(3), [[0, 0.5]], "numbers of rows"),
    (np.eye(3), [["a", "b"]], "numbers of rows")])
def test_wrong_preprocessors_are_refused(rows, given, match):
    with pytest.raises(ValueError, match=match):
        akin.ITML(preprocessor=rows).fit(given, [1])


def test_labels_with_a_preprocessor(iris):
    X, y = iris
    e = akin.LDA(preprocessor=X).fit(np.arange(len(X)), y)
    np.testing.assert_array_equal(e.transform(np.arange(5)),
                                  akin.LDA().fit(X, y).transform(X[:5]))


def test_quadruplets_that_share_a_row_are_triplets(iris, triplets):
    X, _ = iris
    q, p, n = triplets.T
    e = quick(akin.OASIS).fit_quadruplets(X, np.column_stack([q, p, q, n]))
    same = quick(akin.OASIS).fit_triplets(X, triplets)
    np.testing.assert_array_equal(e.transform(X), same.transform(X))


def test_other_quadruplets_are_pairs(iris, pairs):
    X, _ = iris
    ij, y = pairs
    near, far = ij[y > 0], ij[y < 0]
    m = min(len(near), len(far))
    given = np.hstack([near[:m], far[:m]])
    e = akin.ITML().fit_quadruplets(X, given)
    assert e.score(X[given]) > 0.9


def test_examples_outside_the_rows_are_refused(iris):
    X, _ = iris
    with pytest.raises(ValueError, match="150"):
        akin.ITML().fit_pairs(X, [[0, 150]], [1])
    with pytest.raises(ValueError, match="shape"):
        akin.ITML().fit_pairs(X, [[0, 1, 2]], [1])
    with pytest.raises(ValueError, match="row numbers"):
        akin.ITML().fit_pairs(X, [[0, 1.5]], [1])
    with pytest.raises(ValueError, match="inconsistent"):
        akin.ITML().fit_pairs(X, [[0, 1]], [1, -1])
    with pytest.raises(ValueError, match="no triplets"):
        akin.OASIS().fit_triplets(X, np.empty((0, 3), dtype=int))


@pytest.mark.parametrize("y, match", [
    (np.nan, "contains NaN"), ("yes", "must be numbers"), (None, "need y")])
def test_pairs_of_which_nobody_knows_are_refused(y, match, iris, pairs):
    X, _ = iris
    ij, given = pairs
    wrong = None if y is None else np.array([y, *given[1:]], dtype=object)
    fitted = akin.ITML(verdict="none").fit_pairs(X, ij, given)
    for use in (lambda: akin.ITML().fit_pairs(X, ij, wrong),
                lambda: akin.ITML().fit(X[ij], wrong),
                lambda: akin.OASIS().partial_fit(X, wrong, pairs=ij),
                lambda: fitted.calibrate_threshold(X, wrong, ij),
                lambda: fitted.score(X[ij], wrong),
                lambda: akin.compare(X, wrong, pairs=ij, methods=["itml"])):
        with pytest.raises(ValueError, match=match):
            use()


# ---- comparing ----

@pytest.mark.parametrize("kind", [akin.LDA, akin.ITML, akin.NCA, akin.LMNN])
def test_distances_are_those_of_the_learned_space(kind, iris, pairs):
    X, y = iris
    ij, _ = pairs
    e = quick(kind).fit(X, y)
    at = e.transform(X).astype(float)
    d = np.linalg.norm(at[ij[:, 0]] - at[ij[:, 1]], axis=1)
    np.testing.assert_allclose(e.pair_distance(X, ij), d, rtol=1e-6)
    metric, L, M = e.get_metric(), e.components_, e.get_mahalanobis_matrix()
    assert L.shape == (at.shape[1], X.shape[1])
    for (i, j), expected in zip(ij[:20], d):
        u = (X[i] - X[j]).astype(float)
        assert metric(X[i], X[j]) == pytest.approx(expected, rel=1e-4,
                                                   abs=1e-4)
        assert u @ M @ u == pytest.approx(expected ** 2, rel=1e-3, abs=1e-3)
    assert metric(X[0], X[0]) == 0
    if e.threshold_ is None and e.compare == "distance":
        np.testing.assert_allclose(e.pair_score(X, ij), -d ** 2, rtol=1e-4)


def test_what_is_no_metric_has_no_distance(iris):
    X, y = iris
    e = quick(akin.ARCT).fit(X, y, right=(X, y))
    with pytest.raises(ValueError, match="no metric"):
        e.pair_distance(X, [[0, 1]])
    with pytest.raises(AttributeError, match="not linear"):
        quick(akin.LDA, norm="l2").fit(X, y).components_


def test_contributions_add_up_to_the_score(iris):
    X, y = iris
    e = quick(akin.LDA).fit(X, y)
    reasons = e.explain(X, 3, 120, top=2)
    assert [f for f, _ in reasons][-1] is None and len(reasons) == 3
    assert sum(c for _, c in reasons) == pytest.approx(
        e.pair_score(X, [[3, 120]])[0], rel=1e-6)


def test_thresholds(iris, pairs, tmp_path):
    X, y = iris
    ij, match = pairs
    e = quick(akin.LDA).fit(X, y)
    assert e.threshold_ is None
    with pytest.raises(ValueError, match="no threshold"):
        e.predict(X[ij])
    scores = e.pair_score(X, ij)
    e.calibrate_threshold(X, match, ij)
    said = scores >= e.threshold_.score
    assert np.mean(said == (match > 0)) > 0.9
    assert e.threshold_.false_match_rate == pytest.approx(
        np.mean(said[match < 0]))
    e.save(tmp_path / "m.safetensors")
    assert akin.load(tmp_path / "m.safetensors").threshold_ == e.threshold_
    e.calibrate_threshold(X, match, ij, strategy="max_tpr", min_rate=0.99)
    assert e.threshold_.false_match_rate <= 0.01
    e.calibrate_threshold(X, match, ij, strategy="max_tnr", min_rate=0.99)
    assert e.threshold_.miss_rate <= 0.01
    e.calibrate_threshold(X, match, ij, strategy="f_beta", beta=1.0)
    assert np.mean(e.predict(X[ij]) == match) > 0.9
    e.set_threshold(-1.5)
    assert e.threshold_.score == -1.5 and np.isnan(e.threshold_.miss_rate)
    with pytest.raises(ValueError, match="strategy"):
        e.calibrate_threshold(X, match, ij, strategy="guess", min_rate=0.5)


# ---- two kinds of rows ----

def test_two_kinds_of_rows(iris):
    X, y = iris
    left, right = X[:, :3], X[:, 1:]
    e = quick(akin.CCA).fit(left, y, right=(right, y))
    a, b = e.transform(left, right)
    np.testing.assert_array_equal(a, e.transform_left(left))
    np.testing.assert_array_equal(b, e.transform_right(right))
    assert np.mean(e.predict(left) == y) > 0.7
    assert np.mean(e.predict(right, side="right") == y) > 0.7
    s = e.pair_score(left, [[0, 0], [0, 100]], right=right)
    assert s[0] > s[1]
    with pytest.raises(ValueError, match="no `right`"):
        akin.LDA().fit(left, y, right=(right, y))


def test_rows_that_belong_together(iris):
    X, _ = iris
    e = quick(akin.CCA).fit(X[:, :2], X[:, 2:])
    a, b = quick(akin.CCA).fit_transform(X[:, :2], X[:, 2:])
    np.testing.assert_array_equal(a, e.transform(X[:, :2]))
    assert np.corrcoef(a[:, 0], b[:, 0])[0, 1] > 0.9


# ---- pieces ----

def test_pieces_are_one_run(iris, triplets):
    """To learn from A and then from B is to learn from A and B."""
    X, _ = iris
    whole = quick(akin.OASIS, compare="dot").partial_fit(X, triplets=triplets)
    pieces = quick(akin.OASIS, compare="dot")
    for part in np.array_split(triplets, 3):
        pieces.partial_fit(X, triplets=part)
    np.testing.assert_array_equal(pieces.transform(X), whole.transform(X))
    assert pieces.info_.examples == len(np.array_split(triplets, 3)[-1])


def test_labels_in_pieces(iris):
    X, y = iris
    order = np.random.RandomState(0).permutation(len(X))
    e = quick(akin.LoretaPSD)
    for part in np.array_split(order, 3):
        e.partial_fit(X[part], y[part])
    assert e.score(X, y) == 1.0  # every row is among those that vote
    assert list(e.classes_) == [0, 1, 2]
    with pytest.raises(ValueError, match="expecting 4 features"):
        e.partial_fit(X[:, :2], y)


@pytest.mark.parametrize("kind", [akin.LoretaPSD, akin.Perceptron])
def test_rows_of_one_class_wait_for_others(kind, iris):
    X, y = iris
    some = slice(None, None, 3)
    once = quick(kind).partial_fit(X[some], y[some])
    pieces = pickle.loads(pickle.dumps(once))
    once.partial_fit(X, y)
    before = pieces.notes()
    pieces.partial_fit(X[:50], y[:50])
    assert pieces.notes() == before
    pieces.partial_fit(X[50:], y[50:])
    np.testing.assert_array_equal(pieces.predict(X), once.predict(X))
    assert pieces.notes() == once.notes()
    first = quick(kind).partial_fit(X[:50], y[:50], classes=[0, 1, 2, 3])
    with pytest.raises(ValueError, match="expecting 4 features"):
        first.partial_fit(X[50:, :2], y[50:])
    with pytest.raises(ValueError, match="not fitted"):
        first.predict(X)
    first.partial_fit(X[:5], y[:5]).partial_fit(X[50:], y[50:])
    np.testing.assert_array_equal(
        first.predict(X), quick(kind).partial_fit(
            np.concatenate([X[:50], X[:5], X[50:]]),
            np.concatenate([y[:50], y[:5], y[50:]])).predict(X))
    assert list(first.classes_) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="of one class"):
        quick(kind).partial_fit(X[:50], y[:50])


def test_rows_that_wait_vote(iris, tmp_path):
    X, y = iris
    e = quick(akin.OASIS).partial_fit(X[:100], y[:100])
    e.partial_fit(X[100:], y[100:])
    assert list(e.classes_) == [0, 1, 2] and e.score(X, y) == 1.0
    e.save(tmp_path / "m.safetensors")
    loaded = akin.load(tmp_path / "m.safetensors").partial_fit(X[:9], y[:9])
    assert list(loaded.predict(X[:2])) == [0, 0]
    e.partial_fit(X[:100], y[:100])
    assert len(e._fitted.voters["left"][1]) == 250
    assert e.score(X, y) == 1.0


def test_labels_stay_numbers_or_text(iris, tmp_path):
    X, y = iris
    e = quick(akin.Perceptron).partial_fit(X, y)
    for other in ({"y": y.astype(str)}, {"y": y, "classes": ["a"]}):
        with pytest.raises(ValueError, match="numbers"):
            e.partial_fit(X, **other)
    assert e.classes_.dtype == y.dtype
    e.save(tmp_path / "m.safetensors")
    loaded = akin.load(tmp_path / "m.safetensors").partial_fit(X, y)
    assert loaded.predict(X).dtype == y.dtype  # a file has text
    np.testing.assert_array_equal(loaded.predict(X),
                                  e.partial_fit(X, y).predict(X))
    with pytest.raises(ValueError, match="are text"):
        akin.load(tmp_path / "m.safetensors").partial_fit(
            X, y).partial_fit(X, y.astype(str))


@pytest.mark.parametrize("kind", [akin.PA, akin.LoretaPSD, akin.Perceptron])
def test_a_sparse_piece_is_learned_as_a_dense_one(kind, iris, words):
    """What the first rows chose stays chosen."""
    for (X, y), other in ((iris, sparse.csr_matrix),
                          (words, lambda part: part.toarray())):
        same, turned = quick(kind), quick(kind)
        for e, form in ((same, lambda part: part), (turned, other)):
            e.partial_fit(X[::2], y[::2]).partial_fit(form(X[1::2]), y[1::2])
        assert same.notes() == turned.notes()
        np.testing.assert_array_equal(turned.predict(X), same.predict(X))


@pytest.mark.parametrize("guard", [False, True])
def test_pieces_have_the_bytes_of_the_program(guard, iris, triplets, train,
                                              tmp_path):
    """With a guard as `akin train --resume` has, or without."""
    X, _ = iris
    np.save(tmp_path / "x.npy", X)
    half = len(triplets) // 2
    wrong = triplets[half:, [0, 2, 1]]  # says the opposite
    np.savetxt(tmp_path / "a.txt", triplets[:half], "%d")
    np.savetxt(tmp_path / "b.txt", wrong, "%d")
    flags = ["--data", "x.npy", "--verdict", "none"]
    first = train("oasis", tmp_path, *flags, "--triplets", "a.txt")
    (tmp_path / "a.safetensors").write_bytes(first)
    second = train("oasis", tmp_path, *flags, "--triplets", "b.txt",
                   "--resume", "a.safetensors", "--guard",
                   "auto" if guard else "none")
    e = quick(akin.OASIS).partial_fit(X, triplets=triplets[:half])
    e.save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == first
    e.partial_fit(X, triplets=wrong, guard=guard)
    e.save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == second
    assert (second == first) == guard  # which keeps nothing of it


# ---- captions, labels ----

def test_captions(iris):
    X, y = iris
    names = np.array(["Ann", "Bob", "Cleo"])[y]
    by_label = akin.MMS().fit(X, names)
    by_list = akin.MMS().fit(X, [[n] for n in names])
    by_caption = akin.MMS().fit(X, captions=[([i], [n])
                                             for i, n in enumerate(names)])
    assert by_label.score(X, names) > 0.7
    np.testing.assert_array_equal(
        by_label.__getstate__()["_fitted"].__getstate__()["model"],
        by_list.__getstate__()["_fitted"].__getstate__()["model"])
    assert by_caption.predict(X)[0] == "Ann"


def test_labels_are_ranked(iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    e = quick(akin.Logistic).fit(X, names)
    labels, scores = e.rank_labels(X)
    assert labels.shape == scores.shape == (150, 3)
    assert (np.diff(scores, axis=1) <= 0).all()
    np.testing.assert_array_equal(labels[:, 0], e.predict(X))
    np.testing.assert_array_equal(e.rank_labels(X, 2)[0], labels[:, :2])


@pytest.mark.parametrize("kind", [str, float, bool, object])
def test_classes_keep_their_kind(kind, iris):
    X, y = iris
    y = (y == 0).astype(kind) if kind is bool else \
        np.array([f"é{c}" for c in y], dtype=object) if kind is object else \
        y.astype(kind)
    for e in (quick(akin.LDA), quick(akin.Perceptron)):
        e.fit(X, y)
        assert e.predict(X).dtype == e.classes_.dtype == y.dtype
        assert e.score(X, y) > 0.9


# ---- files and copies ----

@pytest.mark.parametrize("kind", [akin.LoretaPSD, akin.Perceptron, akin.PCA,
                                  akin.Blend])
def test_copies_are_the_same(kind, iris):
    X, y = iris
    e = quick(kind).fit(X, y)
    for other in (pickle.loads(pickle.dumps(e)), copy.deepcopy(e)):
        assert other.get_params() == e.get_params()
        assert other.info_ == e.info_ or np.isnan(e.info_.loss) or \
            np.isnan(e.info_.objective)
        if hasattr(e, "transform"):
            np.testing.assert_array_equal(other.transform(X), e.transform(X))
        if hasattr(e, "predict"):
            np.testing.assert_array_equal(other.predict(X), e.predict(X))
    assert pickle.loads(pickle.dumps(kind())).get_params() == \
        kind().get_params()


def test_a_copy_goes_on(iris, triplets):
    X, _ = iris
    half = len(triplets) // 2
    e = quick(akin.OASIS).partial_fit(X, triplets=triplets[:half])
    other = pickle.loads(pickle.dumps(e))
    for one in (e, other):
        one.partial_fit(X, triplets=triplets[half:])
    np.testing.assert_array_equal(e.transform(X), other.transform(X))


@pytest.mark.parametrize("first", ["fit", "partial_fit"])
def test_a_file_goes_on(first, iris, tmp_path):
    X, y = iris
    e = akin.OASIS(sample=500, sampler="warp")
    getattr(e, first)(X[::2], y[::2]).save(tmp_path / "m.safetensors")
    loaded = akin.load(tmp_path / "m.safetensors")
    assert loaded.verdict_ is None and loaded.sampler == "warp"
    loaded.sample = e.sample
    e.partial_fit(X[1::2], y[1::2])
    loaded.partial_fit(X[1::2], y[1::2])
    np.testing.assert_array_equal(loaded.transform(X), e.transform(X))
    assert loaded.verdict_ is None and e.verdict_ is not None
    assert list(loaded.classes_) == [0, 1, 2]
    assert loaded.predict(X).dtype == y.dtype


def test_saving_to_where_nothing_can_be_written(iris, tmp_path):
    e = quick(akin.LDA).fit(*iris)
    with pytest.raises(OSError, match="no/such"):
        e.save(tmp_path / "no/such/folder.safetensors")
    with pytest.raises(ValueError, match="not fitted"):
        akin.LDA().save(tmp_path / "m.safetensors")


# ---- verdicts, warnings ----

def test_verdicts(iris):
    X, y = iris
    e = akin.LDA().fit(X, y)
    assert e.verdict_.word in ("better", "same", "worse")
    assert 0.9 < e.verdict_.held_out <= 1
    assert "held-out accuracy" in str(e.verdict_)
    assert quick(akin.LDA).fit(X, y).verdict_ is None
    assert "no verdict" in str(akin.PCA().fit(X).verdict_)


def test_what_is_worse_is_said(iris):
    with pytest.warns(akin.WorseWarning, match="LMNN is worse than euclidean"):
        e = akin.LMNN().fit(*iris)
    assert e.verdict_.word == "worse"


def test_a_plain_measure_that_is_better_is_said(wine):
    with pytest.warns(akin.WorseWarning, match="without learning") as caught:
        e = akin.LoretaPSD().fit(*wine)
    v = e.verdict_
    assert v.plain > v.held_out and v.plain_measure in str(v)
    said = (f"without learning, {v.plain_measure} over recipe "
            f"{v.plain_recipe} has {v.plain:.3f}: try akin.AutoSimilarity")
    assert str(v).splitlines()[1] == said
    assert said in str(caught[-1].message)


def test_a_limit_is_warned_of(iris):
    with pytest.warns(akin.NotConvergedWarning, match="before it converged"):
        quick(akin.NCA, max_iterations=1).fit(*iris)


def test_verbose_shows_a_bar(iris, capfd):
    X, y = iris
    quick(akin.OASIS, verbose=1, sample=400_000, passes=1,
          compare="dot").fit(X, y)
    assert "oasis" in capfd.readouterr().err
    quick(akin.LDA, verbose=2).fit(X.astype(float), y)
    assert "converted to float32" in capfd.readouterr().err


# ---- what users hand in ----

def test_sparse_rows_stay_sparse(words):
    X, y = words
    e = quick(akin.SolisADA, sample=2000).fit(X, y)
    assert sparse.issparse(e.transform(X))
    assert e.score(X, y) == 1.0
    dense = quick(akin.SolisADA, sample=2000, weights="none", norm="l2")
    np.testing.assert_array_equal(
        dense.fit(X, y).predict(X), dense.predict(X.toarray()))
    for other in (X.tocsc(), X.tocoo(), X.astype(float)):
        np.testing.assert_array_equal(e.predict(other), e.predict(X))


@pytest.mark.parametrize("kind", [akin.LDA, akin.PCA, akin.Blend,
                                  akin.Logistic])
def test_sparse_rows_are_words_unless_said_otherwise(kind, iris):
    X, y = iris
    X = X + 0.1  # every column is in every row
    with pytest.raises(ValueError, match='weights="none" leaves'):
        quick(kind).fit(sparse.csr_matrix(X), y)
    e = quick(kind, weights="none").fit(sparse.csr_matrix(X), y)
    assert e.n_features_in_ == 4
    assert "words" not in str(pytest.raises(
        ValueError, quick(kind).fit, sparse.csr_matrix(0 * X), y).value)


def test_pandas_in_and_out(iris):
    import pandas as pd
    X, y = iris
    table = pd.DataFrame(X, columns=["a", "b", "c", "d"],
                         index=[f"row {i}" for i in range(len(X))])
    e = quick(akin.LDA).set_output(transform="pandas").fit(table, pd.Series(y))
    out = e.transform(table)
    assert list(out.columns) == ["lda0", "lda1"] == list(
        e.get_feature_names_out())
    assert list(out.index) == list(table.index)
    assert list(e.feature_names_in_) == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match="Feature names must be in the same"):
        e.transform(table[["b", "a", "c", "d"]])
    with pytest.warns(UserWarning, match="valid feature names"):
        e.transform(X)
    assert isinstance(e.set_output(transform="default").transform(table),
                      np.ndarray)


def test_columns_in_another_order_are_refused(iris, tmp_path):
    import pandas as pd
    X, y = iris
    table = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    turned = table[["d", "c", "b", "a"]]
    path = tmp_path / "m.safetensors"
    for kind in (akin.LDA, akin.LoretaPSD):
        e = quick(kind).fit(table, y)
        e.save(path)
        loaded = akin.load(path)
        assert list(loaded.feature_names_in_) == list("abcd")
        index = akin.Index(table, e)
        index.save(tmp_path / "i")
        for use in (
                lambda: akin.Index(turned, e), lambda: index.search(turned, 1),
                lambda: akin.Index.load(tmp_path / "i").search(turned, 1),
                lambda: index.add(turned), lambda: loaded.transform(turned),
                lambda: loaded.transform_right(turned),
                lambda: e.pair_score(table, [[0, 1]], right=turned),
                lambda: e.predict(turned, side="right"),
                lambda: akin.metrics.retrieval(e, turned, y),
                lambda: akin.metrics.retrieval(e, table, y, turned, y)):
            with pytest.raises(ValueError, match="must be in the same order"):
                use()
        assert akin.metrics.retrieval(e, table, y, table, y).map > 0.5
        assert index.search(table, 1)[1].ravel().tolist() == \
            index.search(X, 1)[1].ravel().tolist()
        np.testing.assert_array_equal(loaded.transform(table),
                                      e.transform(table))


def test_input_is_not_changed(iris, words):
    for X, y in (iris, words):
        before = X.copy()
        quick(akin.OASIS, sample=500).fit(X, y).transform(X)
        assert (abs(before - X)).max() == 0


@pytest.mark.parametrize("bad, match", [
    (np.full((4, 2), np.nan), "NaN"), (np.full((4, 2), 1e300), "infinity"),
    (np.zeros((4, 2)), "every row is empty"), (np.ones((0, 2)), "0 sample"),
    (np.array([["a", "b"]] * 4), "text"), (np.ones((4, 2, 2, 2)), "dim 4")])
def test_bad_rows_are_refused(bad, match):
    with pytest.raises(ValueError, match=match):
        akin.LDA().fit(bad, [0, 1, 0, 1][:len(bad)])


def test_an_array_that_does_not_own_its_memory_is_kept(iris):
    """The rows that vote are those of the caller, not copied."""
    X, y = iris
    e = quick(akin.LDA).fit(X, y)
    assert np.shares_memory(e._fitted.voters["left"][0], X)
    copied = X.copy()
    f = quick(akin.LDA).fit(copied, y)
    del copied
    np.testing.assert_array_equal(f.predict(X), e.predict(X))


def test_compare_gives_a_table(iris):
    import matplotlib
    matplotlib.use("agg")
    import pandas as pd
    X, y = iris
    table = akin.compare(X, y, methods=["lda", "euclidean"])
    assert isinstance(table, pd.DataFrame)
    assert set(table["method"]) == {"lda", "euclidean"}
    assert table["score"].is_monotonic_decreasing
    assert table.measure == "accuracy" and table.reason
    assert table.plot().get_xlabel() == "held-out accuracy"
    held = akin.compare(X[::2], y[::2], methods=["lda"],
                        test=(X[1::2], y[1::2]))
    assert held["score"][0] > 0.9


@pytest.mark.parametrize("bad, kind", [(2.5, TypeError), (2.0, TypeError),
                                       ("a", TypeError), (-3, ValueError)])
def test_n_neighbors_is_a_whole_number(iris, bad, kind):
    X, y = iris
    for estimator in (akin.LDA, akin.AutoSimilarity):
        with pytest.raises(kind, match="n_neighbors is"):
            estimator(n_neighbors=bad).fit(X, y)
    fitted = akin.LDA(verdict="none").fit(X, y)
    with pytest.raises(kind, match="n_neighbors is"):
        fitted.set_params(n_neighbors=bad).predict(X)
    fitted.set_params(n_neighbors=np.int64(3))
    assert fitted.score(X, y) > 0.9


def test_a_comparison_is_pickled(iris):
    X, y = iris
    table = akin.compare(X, y, methods=["euclidean", "cosine"])
    back = pickle.loads(pickle.dumps(table))
    assert type(back) is type(table) and back.equals(table)
    assert (back.measure, back.reason) == (table.measure, table.reason)
    assert len(pickle.loads(pickle.dumps(table[:1]))) == 1


def test_missing_values_of_pandas(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    gap = pandas.array([1, None, 2], dtype="Int64")
    frame = pandas.DataFrame({"a": gap, "b": [1.0, 2.0, 3.0]})
    for use in (akin.Index, lambda X: akin.LDA().fit(X, [0, 1, 1])):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            use(frame)
    for labels in (gap, np.array(["a", float("nan"), "b"], dtype=object)):
        with pytest.raises(ValueError, match="Input y contains NaN"):
            akin.LDA().fit(X[:3], labels)
    assert len(akin.Index(frame.fillna(0))) == 3
    fitted = akin.LDA().fit(X, pandas.array(y, dtype="Int64"))
    assert fitted.score(X, y) > 0.9


def test_a_bar_that_fails_harms_no_other(iris, monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    with monkeypatch.context() as m:
        m.setattr(sys, "stderr", Closed())
        with pytest.raises(BrokenPipeError):
            akin.NCA(verbose=1, verdict="none").fit(*iris)
    akin.NCA(verbose=1, verdict="none").fit(*iris)


@pytest.mark.parametrize("learner", [akin.Logistic, akin.HFA])
def test_labels_of_two_kinds(wine, learner):
    X, y = wine
    left, right = X[:, :6], X[:, 6:]
    e = learner(verdict="none").fit(left, y, right=(right, y))
    assert e.predict(right, side="right").shape == y.shape
    assert (e.predict(right, side="right") == y).mean() > 0.8
    if learner is akin.HFA:
        assert e.score(right, y) > 0.8
    else:
        assert e.score(left, y) > 0.8


def test_what_is_refused(iris):
    X, y = iris
    hidden = np.ma.masked_array(X, mask=X > 5)
    for bad, kind, said in (
            (hidden, ValueError, "masked"),
            (X.astype("M8[s]"), TypeError, "dates"),
            (np.array([["a", 1], ["b", 2]], dtype=object), ValueError,
             "column 0 has text")):
        with pytest.raises(kind, match=said):
            akin.LDA().fit(bad, y[:len(bad)])
    with pytest.raises(TypeError, match="int, str"):
        akin.LDA().fit(X[:4], np.array(["a", 1, "a", 1], dtype=object))
    with pytest.raises(ValueError, match=r"not in `classes`: \[2\]"):
        akin.OASIS().partial_fit(X, y, classes=[0, 1])
    with pytest.raises(TypeError, match="names of learners"):
        akin.compare(X, y, methods=[akin.LDA])
    with pytest.raises(TypeError, match="expected a list of texts"):
        akin.name_faces(X, [([0, 1], "Bo")])
    with pytest.raises(ValueError, match="expected accuracy"):
        akin.LDA().fit(X, y).calibrate_threshold(
            X, [1, 0], [[0, 1], [0, 99]], strategy="foo")
