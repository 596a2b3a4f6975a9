"""read, write, metrics and name_faces."""
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import akin


@pytest.mark.parametrize("extension", ["svm", "csv", "tsv", "npz", "safetensors",
                                       "svm.gz", "csv.zst"])
def test_rows_come_back(wine, tmp_path, extension):
    X, y = wine
    path = tmp_path / f"rows.{extension}"
    akin.write(path, X, y)
    back = akin.read(path)
    found = back.X.toarray() if hasattr(back.X, "toarray") else back.X
    np.testing.assert_array_equal(found[:, :X.shape[1]], X)
    np.testing.assert_array_equal(back.y, y)


def test_sparse_rows_come_back(words, tmp_path):
    X, y = words
    for extension in ("svm", "npz", "safetensors"):
        path = tmp_path / f"rows.{extension}"
        akin.write(path, X, y)
        back = akin.read(path, dim=X.shape[1] if extension == "svm" else 0)
        assert (back.X != X).nnz == 0
        np.testing.assert_array_equal(back.y, y)


def test_npy_and_fvecs(rows_of_numbers, tmp_path):
    for extension in ("npy", "fvecs"):
        akin.write(tmp_path / f"r.{extension}", rows_of_numbers)
        np.testing.assert_array_equal(
            akin.read(tmp_path / f"r.{extension}").X, rows_of_numbers)


@pytest.mark.parametrize("use", [akin.read, akin.write])
def test_formats_are_those_that_the_library_has(use, tmp_path):
    args = [np.eye(2)] if use is akin.write else []
    with pytest.raises(ValueError, match="unknown file extension") as error:
        use(tmp_path / "rows.zip", *args)
    wanted = re.search("one of (.*);", str(error.value))[1]
    told = use.__doc__.split(":", 1)[1].split(". ")[0]
    assert re.findall(r"\w+", told.replace(" or ", " ")) == \
        wanted.replace(".", "").split()
    for extension in re.findall(r"\w+", told.replace(" or ", " ")):
        for more in ("", ".gz", ".zst"):
            path = tmp_path / f"rows.{extension}{more}"
            if more == "" or extension in ("svm", "svmlight", "libsvm", "csv",
                                           "tsv"):
                if use is akin.write:
                    use(path, *args)
                else:
                    with pytest.raises(akin.MissingFileError):
                        use(path)
            else:
                with pytest.raises(ValueError, match="unknown file extension"):
                    use(path, *args)


@pytest.fixture
def rows_of_numbers():
    return np.random.RandomState(0).randn(20, 5).astype(np.float32)


def test_frames_and_labels(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"height": [1.5, 2.5], "width": [3.0, 4.0]})
    akin.write(tmp_path / "f.csv", frame, ["tall", None])
    back = akin.read(tmp_path / "f.csv")
    assert back.columns == ["height", "width"]
    assert back.y.tolist() == ["tall", None]
    akin.write(tmp_path / "f.svm", frame, [[1, 2], [2]])
    assert akin.read(tmp_path / "f.svm").y == [[1, 2], [2]]


def test_files_that_are_refused(tmp_path):
    with pytest.raises(akin.MissingFileError):
        akin.read(tmp_path / "none.csv")
    (tmp_path / "bad.svm").write_text("1 1:x\n")
    with pytest.raises(akin.FormatError, match="bad.svm:1"):
        akin.read(tmp_path / "bad.svm")
    with pytest.raises(ValueError):
        akin.write(tmp_path / "x.unknown", np.eye(2))
    with pytest.raises(ValueError, match="index_base"):
        akin.read(tmp_path / "bad.svm", index_base=2)


# ---- metrics ----

def test_metrics_against_scikit_learn():
    from sklearn.metrics import average_precision_score
    rng = np.random.RandomState(0)
    relevant = rng.rand(30, 40) < 0.3
    ranks = -np.arange(40.0)
    wanted = [average_precision_score(r, ranks) for r in relevant]
    np.testing.assert_allclose(akin.metrics.average_precision(relevant), wanted)
    assert akin.metrics.mean_average_precision(relevant) == \
        pytest.approx(np.mean(wanted))
    assert akin.metrics.precision_at_k(relevant, 5) == \
        pytest.approx(relevant[:, :5].mean())
    assert akin.metrics.r_precision(relevant) == pytest.approx(np.mean(
        [r[:r.sum()].mean() for r in relevant]))


def test_metrics_without_answers():
    assert np.isnan(akin.metrics.mean_average_precision([[0, 0]]))
    assert np.isnan(akin.metrics.r_precision([[0, 0]]))
    assert akin.metrics.mean_average_precision([[1, 0], [0, 0]]) == 1.0
    assert akin.metrics.average_precision([1], 4)[0] == 0.25


@pytest.mark.parametrize("relevant, total, match", [
    ([[1, 0, 1]], [1], "ranking has 2 relevant rows"),
    ([[1, 0, 1]], -1, "ranking has 2 relevant rows"),
    ([[1, 0], [0, 1]], [1, 1, 1], "has the shape"),
    ([[1, 0], [0, 1]], [1.5, 1], "whole numbers"),
    ([[1, 0]], [np.nan], "whole numbers"),
    ([[np.nan, 1.0]], None, "other values"), ([[2, 1]], None, "other values"),
    ([["a", "b"]], None, "other values"), (1, None, "dimensions")])
def test_rankings_that_cannot_be_are_refused(relevant, total, match):
    for measure in (akin.metrics.average_precision, akin.metrics.r_precision,
                    akin.metrics.mean_average_precision):
        with pytest.raises(ValueError, match=match):
            measure(relevant, total)


@pytest.mark.parametrize("k", [0, -1, 1.5, None, True])
def test_precision_is_at_a_whole_number(k):
    with pytest.raises(ValueError, match="k is"):
        akin.metrics.precision_at_k([[1]], k)


def test_retrieval_is_that_of_rankings(wine):
    X, y = wine
    learned = akin.LDA(verdict="none").fit(X, y)
    found = akin.metrics.retrieval(learned, X, y)
    n = len(X)
    _, ids = akin.Index(X, learned).search(X, k=n)
    relevant = np.array([[y[j] == y[i] for j in row if j != i]
                         for i, row in enumerate(ids)])
    assert found.map == pytest.approx(
        akin.metrics.mean_average_precision(relevant), abs=1e-4)
    assert found.precision_at[10] == pytest.approx(
        akin.metrics.precision_at_k(relevant, 10), abs=1e-4)
    assert found.queries == n and found.skipped == 0
    other = akin.metrics.retrieval("euclidean", X[:100], y[:100], X[100:],
                                   y[100:])
    assert other.queries == n - 100 and 0.3 < other.map < 1.0


# ---- names ----

@pytest.fixture(scope="module")
def photos():
    """Faces of 12 people, two in a photo, some in no caption."""
    rng = np.random.RandomState(3)
    people = rng.randn(12, 32)
    who = rng.randint(0, 12, 120)
    X = (people[who] + 0.3 * rng.randn(120, 32)).astype(np.float32)
    captions = []
    for i in range(0, 120, 2):
        names = sorted({f"P{who[i]}", f"P{who[i + 1]}"} -
                       ({f"P{who[i]}"} if i % 10 == 0 else set()))
        captions.append(([i, i + 1], names or ["P0"]))
    return X, captions, who


def test_names_are_right(photos):
    X, captions, who = photos
    found = akin.name_faces(X, captions)
    named = [i for i in range(len(X)) if found.names[i] is not None]
    right = np.mean([found.names[i] == f"P{who[i]}" for i in named])
    assert right > 0.9 and len(named) > 80
    assert 0.5 < found.ratio <= 1.0 and found.ratio_error >= 0.0
    assert np.nanmin(found.probabilities) >= 0.0


def test_names_are_those_of_the_program(photos, tmp_path):
    program = os.environ.get("AKIN_PROGRAM")
    if not program:
        pytest.skip("AKIN_PROGRAM names no program")
    X, captions, _ = photos
    akin.write(tmp_path / "faces.npy", X)
    (tmp_path / "captions.csv").write_text("photo,faces,names\n" + "".join(
        f"{i},{';'.join(map(str, faces))},{';'.join(names)}\n"
        for i, (faces, names) in enumerate(captions)))
    subprocess.run([program, "name", "faces.npy", "--captions", "captions.csv",
                    "--out", "names.csv", "--quiet"], check=True, cwd=tmp_path)
    lines = (tmp_path / "names.csv").read_text().splitlines()[1:]
    its = {int(line.split(",")[0]): line.split(",")[2] for line in lines}
    found = akin.name_faces(X, captions)
    assert {i: name or "" for i, name in enumerate(found.names)} == its


def test_what_a_person_says_stands(photos):
    X, captions, _ = photos
    found = akin.name_faces(X, captions, confirmed={0: None, 3: captions[1][1][0]})
    assert found.names[0] is None and found.names[3] == captions[1][1][0]
    assert found.probabilities[3] == 1.0
    few = akin.name_faces(X, captions, named_count=10, quality=np.ones(120))
    all_of_them = akin.name_faces(X, captions)
    assert 5 <= sum(name is not None for name in few.names) <= 15
    assert sum(name is not None for name in all_of_them.names) > 80


def test_names_that_are_refused(photos):
    X, captions, _ = photos
    with pytest.raises(ValueError, match="fused"):
        akin.name_faces(X, captions, method="oasis")
    with pytest.raises(ValueError):
        akin.name_faces(X, [([500], ["A"])])
    with pytest.raises(ValueError):
        akin.name_faces(X, captions, quality=[1.0])


@pytest.mark.parametrize("said, options, kind", [
    ("1 names for 3 columns", {"columns": ["a"]}, ValueError),
    ("4 names for 3 columns", {"columns": list("abcd")}, ValueError),
    ("columns is 'abc'", {"columns": "abc"}, TypeError),
    ("columns is 3", {"columns": 3}, TypeError),
    ("1 labels for 3 rows", {"y": [1]}, ValueError),
    ("y is 3", {"y": 3}, TypeError), ("y is 'abc'", {"y": "abc"}, TypeError)])
def test_arguments_of_write_that_are_refused(tmp_path, said, options, kind):
    with pytest.raises(kind, match=said):
        akin.write(tmp_path / "r.csv", np.eye(3), **options)
    assert os.listdir(tmp_path) == []


# ---- text that C would cut short ----

@pytest.mark.parametrize("use", [
    lambda X: akin.Index(X, ids=["a\0b", "a\0c", "d"]),
    lambda X: akin.Index(X, "cosine\0"),
    lambda X: akin.Index(X).save("q\0r"),
    lambda X: akin.Index.load("q\0r"),
    lambda X: akin.PCA().fit(X).save("q\0r"),
    lambda X: akin.PCA(scale="none\0").fit(X),
    lambda X: akin.load("q\0r"),
    lambda X: akin.read("q\0r.csv"),
    lambda X: akin.read("q.csv", label_column="a\0b"),
    lambda X: akin.write("q.csv\0r", X),
    lambda X: akin.write("q.csv", X, ["a\0b", "c", "d"]),
    lambda X: akin.write("q.csv", X, columns=["a\0b", "c", "d"]),
    lambda X: akin.compare(X, [0, 1, 1], methods=["lda\0"]),
    lambda X: akin.Collection("q\0r")])
def test_null_bytes_are_refused(use, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="embedded null byte"):
        use(np.eye(3, dtype=np.float32))
    assert os.listdir(tmp_path) == []


def test_rows_with_a_refused_id_are_not_added():
    index = akin.Index(np.eye(3), ids=["a", "b", "c"])
    with pytest.raises(ValueError, match="embedded null byte"):
        index.add(np.eye(3)[:1], ids=["d\0e"])
    assert len(index) == 3 and index.ids.tolist() == ["a", "b", "c"]


# ---- helpers ----

def test_helpers_beside_the_module_are_found(tmp_path):
    """The library is part of the module: it looks in libexec beside it."""
    folder = os.environ.get("AKIN_LIBEXEC", "")
    helper = os.path.join(folder, "akin-mat")
    if not os.path.exists(helper):
        pytest.skip("AKIN_LIBEXEC does not say where akin-mat is")
    scipy_io = pytest.importorskip("scipy.io")
    scipy_io.savemat(tmp_path / "m.mat", {"X": np.eye(3)})
    package = os.path.dirname(akin.__file__)
    shutil.copytree(package, tmp_path / "moved" / "akin", symlinks=False,
                    ignore=shutil.ignore_patterns("*.p", "__pycache__"))
    code = "import akin; print(akin.read('m.mat').X.sum())"
    env = {k: v for k, v in os.environ.items() if k != "AKIN_LIBEXEC"}
    env["PYTHONPATH"] = str(tmp_path / "moved")

    def run():
        return subprocess.run([sys.executable, "-c", code], cwd=tmp_path,
                              env=env, capture_output=True, text=True)

    without = run()
    if without.returncode == 0:
        pytest.skip("akin is installed, and its helpers are found there")
    assert "akin-mat" in without.stderr
    (tmp_path / "moved" / "akin" / "libexec").mkdir()
    shutil.copy(helper, tmp_path / "moved" / "akin" / "libexec")
    found = run()
    assert found.stdout.strip() == "3.0", found.stderr
