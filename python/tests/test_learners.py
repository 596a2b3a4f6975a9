"""Each class against the registry and against the program."""
import inspect

import numpy as np
import pytest
from scipy import sparse

import akin
from akin import _abilities, _core, _learners
from akin._core import lib

CLASSES = [getattr(akin, name) for name in _learners.__all__]
# What makes each of them quick enough to fit in every test.
QUICK = {"sample": 300, "verdict": "none", "max_iterations": 20}


def quick(kind, **params):
    """An estimator of the class that learns little, and fast."""
    known = inspect.signature(kind).parameters
    return kind(**{k: v for k, v in QUICK.items() if k in known}, **params)


def learners():
    i = 0
    while lib.akin_learner_at(i) != _core.ffi.NULL:
        yield lib.akin_learner_at(i)
        i += 1


def test_every_learner_has_its_class():
    trained = {_core.text(l.name) for l in learners() if l.names_faces < 2}
    assert {kind._learner for kind in CLASSES} == trained


@pytest.mark.parametrize("kind", CLASSES)
def test_defaults_are_those_of_the_library(kind):
    signature = inspect.signature(kind)
    with _core.Context() as ctx:
        options = _core.call(ctx, lib.akin_options_new, "akin_options",
                             lib.akin_options_free, kind._learner.encode())
        room = _core.ffi.new("char[]", 256)
        for name, option in kind._options.items():
            ctx.check(lib.akin_options_get(room, ctx.handle, options,
                                           option.encode(), 256))
            default = signature.parameters[name].default
            text = _core.text(room)
            assert text == default if isinstance(default, str) else \
                float(text) == default
    assert f"{name} : " in kind.__doc__ if kind._options else True


@pytest.mark.parametrize("kind", CLASSES)
def test_every_class_fits(kind, iris, words):
    X, y = words if kind is akin.TFIDF else iris
    e = quick(kind).fit(X, y)
    if hasattr(e, "transform"):
        assert e.transform(X).shape[0] == X.shape[0]
    if hasattr(e, "predict"):
        assert e.predict(X).shape == y.shape
        assert e.score(X, y) > 0.7
    assert e.n_features_in_ == X.shape[1]


# Those that learn from labels of one kind of rows, or from nothing.
PLAIN = [kind for kind in CLASSES if not kind._right_alone and
         not kind._counts and not issubclass(kind, _abilities.FromCaptions)]


@pytest.fixture(scope="module")
def wine_file(tmp_path_factory, wine):
    folder = tmp_path_factory.mktemp("wine")
    X, y = wine
    np.save(folder / "x.npy", X)
    (folder / "y.txt").write_text("".join(f"{c}\n" for c in y))
    return folder


@pytest.mark.parametrize("kind", PLAIN)
def test_the_model_has_the_bytes_of_the_program(kind, wine, wine_file, train,
                                                tmp_path):
    """With the defaults, whatever they are."""
    expected = train(kind._learner, wine_file, "--data", "x.npy", "--labels",
                     "y.txt")
    kind().fit(*wine).save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == expected


def test_options_seed_and_recipe_have_the_bytes_of_the_program(
        wine, wine_file, train, tmp_path):
    expected = train("loreta-psd", wine_file, "--data", "x.npy", "--labels",
                     "y.txt", "--rank", 5, "--eta", 0.25, "--seed", 7,
                     "--scale", "minmax", "--center", "--norm", "l2",
                     "--sample", 3000, "--passes", 2, "--sampler", "warp",
                     "--score", "dot", "--verdict", "none")
    akin.LoretaPSD(rank=5, eta=0.25, random_state=7, scale="minmax",
                   center=True, norm="l2", sample=3000, passes=2,
                   sampler="warp", compare="dot", verdict="none",
                   n_jobs=1).fit(*wine).save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == expected


def test_pairs_and_triplets_have_the_bytes_of_the_program(
        iris, pairs, triplets, train, tmp_path):
    X, _ = iris
    np.save(tmp_path / "x.npy", X)
    ij, y = pairs
    np.savetxt(tmp_path / "p.txt", np.column_stack([ij, y]), "%d")
    np.savetxt(tmp_path / "t.txt", triplets, "%d")
    path = tmp_path / "m.safetensors"
    expected = train("itml", tmp_path, "--data", "x.npy", "--pairs", "p.txt")
    akin.ITML().fit_pairs(X, ij, y).save(path)
    assert path.read_bytes() == expected
    expected = train("oasis", tmp_path, "--data", "x.npy", "--triplets",
                     "t.txt")
    akin.OASIS().fit_triplets(X, triplets).save(path)
    assert path.read_bytes() == expected


def test_names_of_columns_have_the_bytes_of_the_program(iris, train, tmp_path):
    import pandas as pd
    X, y = iris
    table = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    table.to_csv(tmp_path / "x.csv", index=False, float_format="%.9g")
    names = [f"kind {c}" for c in y]
    (tmp_path / "y.txt").write_text("".join(f"{c}\n" for c in names))
    expected = train("lda", tmp_path, "--data", "x.csv", "--labels", "y.txt")
    e = akin.LDA().fit(table, names)
    e.save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == expected
    assert {f for f, _ in e.explain(table, 0, 100, top=4)} >= set("abcd")


@pytest.mark.parametrize("kind", [akin.TFIDF, akin.SolisADA, akin.LoretaPSD])
def test_sparse_rows_have_the_bytes_of_the_program(kind, words, train,
                                                   tmp_path):
    X, y = words
    sparse.save_npz(tmp_path / "x.npz", X)
    (tmp_path / "y.txt").write_text("".join(f"{c}\n" for c in y))
    expected = train(kind._learner, tmp_path, "--data", "x.npz", "--labels",
                     "y.txt")
    kind().fit(X, y).save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == expected


def test_rows_of_two_kinds_have_the_bytes_of_the_program(iris, train, tmp_path):
    X, y = iris
    np.save(tmp_path / "x.npy", X[:, :2])
    np.save(tmp_path / "z.npy", X[:, 1:])
    (tmp_path / "y.txt").write_text("".join(f"{c}\n" for c in y))
    for kind in (akin.CCA, akin.ARCT, akin.HFA):
        expected = train(kind._learner, tmp_path, "--data", "x.npy",
                         "--labels", "y.txt", "--right", "z.npy",
                         "--right-labels", "y.txt", "--verdict", "none")
        e = kind(verdict="none").fit(X[:, :2], y, right=(X[:, 1:], y))
        e.save(tmp_path / "m.safetensors")
        assert (tmp_path / "m.safetensors").read_bytes() == expected


def test_auto_has_the_bytes_of_the_program(iris, train, tmp_path):
    X, y = iris
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "y.txt").write_text("".join(f"{c}\n" for c in y))
    expected = train("auto", tmp_path, "--data", "x.npy", "--labels", "y.txt",
                     "--effort", 1)
    e = akin.AutoSimilarity(effort=1).fit(X, y)
    e.save(tmp_path / "m.safetensors")
    assert (tmp_path / "m.safetensors").read_bytes() == expected
    assert e.candidates_[0]["score"] >= e.candidates_[1]["score"]
    assert e.verdict_.held_out > 0.9 and e.reason_
    assert type(akin.load(tmp_path / "m.safetensors"))._learner == e.learner_


@pytest.mark.parametrize("kind", [akin.LDA, akin.LoretaPSD, akin.Perceptron])
def test_a_file_of_the_program_is_loaded(kind, wine, wine_file, train):
    train(kind._learner, wine_file, "--data", "x.npy", "--labels", "y.txt")
    e = akin.load(wine_file / "cli.safetensors")
    assert type(e) is kind
    fitted = kind().fit(*wine)
    if hasattr(e, "transform"):
        np.testing.assert_array_equal(e.transform(wine[0]),
                                      fitted.transform(wine[0]))
    else:
        np.testing.assert_array_equal(e.predict(wine[0]).astype(int),
                                      fitted.predict(wine[0]))
    with pytest.raises(ValueError, match="a model of"):
        akin.NCA.load(wine_file / "cli.safetensors")


def test_options_out_of_range_are_refused(iris):
    with pytest.raises(ValueError, match="`shrinkage` 7 is out of range"):
        akin.LDA(shrinkage=7).fit(*iris)
    with pytest.raises(ValueError, match="clock"):
        akin.SolisADA(clock="sometimes").fit(*iris)
    with pytest.raises(ValueError, match="compare"):
        akin.LDA(compare="angle").fit(*iris)
    with pytest.raises(ValueError, match="sampler"):
        akin.OASIS(sampler="some").fit(*iris)


@pytest.mark.parametrize("name, value", [
    ("rank", "30"), ("rank", True), ("rank", 2.0), ("rank", None),
    ("eta", "1"), ("eta", True), ("n_neighbors", -3), ("n_neighbors", 2.5),
    ("n_neighbors", "a"), ("sample", 1.5), ("sample", -1), ("passes", -1),
    ("verbose", -1), ("verbose", "x"), ("center", "x"), ("center", 2),
    ("random_state", -1), ("random_state", 2 ** 64), ("n_jobs", "b"),
    ("n_jobs", 1.5)])
def test_parameters_of_another_kind_are_refused(name, value, iris):
    e = akin.LoretaPSD(**{name: value})
    with pytest.raises(ValueError, match=f"{name} is {value!r} .expected"):
        e.fit(*iris)


def test_parameters_of_any_kind_of_number_are_taken(iris):
    e = quick(akin.LoretaPSD, rank=np.int64(3), eta=np.float32(0.25),
              random_state=np.uint32(5), verbose=False, center=np.bool_(True),
              n_neighbors=np.int32(3), n_jobs=np.int64(1)).fit(*iris)
    same = quick(akin.LoretaPSD, rank=3, eta=0.25, random_state=5, center=True,
                 n_neighbors=3).fit(*iris)
    np.testing.assert_array_equal(e.predict(iris[0]), same.predict(iris[0]))
    assert e.notes() == same.notes()
    e.n_neighbors = 0
    with pytest.raises(ValueError, match="n_neighbors is 0"):
        e.predict(iris[0])


@pytest.mark.parametrize("wrong", [
    {"methods": []}, {"methods": "lda"}, {"effort": 0}, {"effort": 1.5},
    {"tune": -1}])
def test_comparisons_of_nothing_are_refused(wrong, iris):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} is"):
        akin.compare(*iris, **wrong)


def test_results_do_not_depend_on_threads(iris):
    bytes_of = []
    for n_jobs in (1, 2, None):
        e = quick(akin.OASIS, n_jobs=n_jobs, random_state=3).fit(*iris)
        bytes_of.append(e.__getstate__()["_fitted"].__getstate__()["model"])
    assert bytes_of[0] == bytes_of[1] == bytes_of[2]
    other = quick(akin.OASIS, random_state=4).fit(*iris)
    assert other._fitted.__getstate__()["model"] != bytes_of[0]
