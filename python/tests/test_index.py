"""Index: against brute force, against the program, ids, filters, files,
threads, Ctrl-C, memory."""
import copy
import gc
import json
import os
import pickle
import resource
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import akin


@pytest.fixture(scope="module")
def rows():
    rng = np.random.RandomState(0)
    return rng.randn(500, 12).astype(np.float32)


def brute(X, Q, k):
    """(squared distances, numbers) of the nearest rows, ties by number."""
    d = ((Q[:, None].astype(float) - X[None].astype(float)) ** 2).sum(axis=2)
    order = np.argsort(d, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(d, order, axis=1), order


def test_search_is_brute_force(rows):
    scores, ids = akin.Index(rows).search(rows[:40], k=7)
    distances, order = brute(rows, rows[:40], 7)
    assert ids.dtype == np.int64 and ids.shape == (40, 7)
    np.testing.assert_array_equal(ids, order)
    np.testing.assert_allclose(scores, -distances, atol=1e-4)


def test_search_under_a_learned_model(wine):
    X, y = wine
    learned = akin.LDA(verdict="none").fit(X, y)
    embedded = np.asarray(learned.transform(X), dtype=float)
    scores, ids = akin.Index(X, learned).search(X[:30], k=5)
    distances, order = brute(embedded, embedded[:30], 5)
    np.testing.assert_allclose(scores, -distances, rtol=1e-3, atol=1e-3)
    assert np.mean(ids == order) > 0.97  # floats may tie


def test_sparse_rows_are_inverted(words):
    X, _ = words
    index = akin.Index(X, "cosine")
    assert index.kind == "inverted"
    scores, ids = index.search(X[:20], k=4)
    dense = X.toarray().astype(float)
    dense /= np.linalg.norm(dense, axis=1, keepdims=True)
    cosines = dense[:20] @ dense.T
    best = -np.sort(-cosines, axis=1)[:, :4]
    np.testing.assert_allclose(scores, best, atol=1e-5)
    assert index.by == "cosine" and len(index) == 160


def test_search_is_that_of_the_program(words, tmp_path):
    program = os.environ.get("AKIN_PROGRAM")
    if not program:
        pytest.skip("AKIN_PROGRAM names no program")
    X, _ = words
    akin.write(tmp_path / "rows.npz", X)
    index = akin.Index(X, "tfidf")
    index.save(tmp_path / "mine.index")
    subprocess.run([program, "index", "tfidf", "--data", "rows.npz", "--out",
                    "its.index", "--quiet"], check=True, cwd=tmp_path)
    assert (tmp_path / "mine.index").read_bytes() == \
        (tmp_path / "its.index").read_bytes()
    out = subprocess.run(
        [program, "search", "mine.index", "--queries", "rows.npz", "--top", "3",
         "--json", "--quiet"], check=True, cwd=tmp_path, capture_output=True,
        text=True).stdout
    scores, ids = index.search(X, k=3)
    found = json.loads(out)
    its = [[hit["row"] for hit in query["hits"]]
           for query in found["results"]]
    assert its == ids.tolist()


def test_kneighbors_is_that_of_scikit_learn(rows):
    from sklearn.neighbors import NearestNeighbors
    wanted = NearestNeighbors(n_neighbors=6, algorithm="brute").fit(rows)
    distances, order = wanted.kneighbors(rows[:50])
    mine, ids = akin.Index(rows).kneighbors(rows[:50], n_neighbors=6)
    np.testing.assert_array_equal(ids, order)
    np.testing.assert_allclose(mine, distances, atol=2e-3)
    np.testing.assert_array_equal(
        akin.Index(rows).kneighbors(rows[:3], 2, return_distance=False),
        order[:3, :2])


# ---- ids ----

def test_ids_of_any_64_bits(rows):
    ids = np.arange(len(rows), dtype=np.int64) * -7919 + (1 << 62)
    ids[3], ids[4] = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    index = akin.Index(rows, ids=ids)
    _, found = index.search(rows[:6], k=1)
    np.testing.assert_array_equal(found[:, 0], ids[:6])
    index.remove([ids[3]])
    assert len(index) == len(rows) - 1
    assert ids[3] not in index.search(rows[3], k=len(rows))[1]
    with pytest.raises(KeyError):
        index.remove([12345])


def test_ids_of_64_bits_without_a_sign(rows, tmp_path):
    """Hashes are such numbers."""
    ids = np.arange(len(rows), dtype=np.uint64) + np.uint64(2 ** 63 - 2)
    index = akin.Index(rows, ids=ids)
    index.save(tmp_path / "x.index")
    for back in (index, akin.Index.load(tmp_path / "x.index"),
                 akin.Index.load(tmp_path / "x.index", ids=int),
                 pickle.loads(pickle.dumps(index))):
        _, found = back.search(rows[:6], k=1)
        assert found.dtype == np.uint64
        np.testing.assert_array_equal(found[:, 0], ids[:6])
        back.remove([int(ids[5])])
        scores, found = back.search(rows[0], k=len(rows))
        assert np.isnan(scores[0, -1]) and found[0, -1] == 2 ** 64 - 1
    with pytest.raises(OverflowError):
        index.add(rows[:1], ids=[-3])
    assert len(index) == len(index.ids) == len(rows) - 1


def test_ids_grow_out_of_a_sign(rows):
    index = akin.Index(rows[:3], ids=[1, np.int32(2), np.uint64(3)])
    index.add(rows[3:5], ids=[2 ** 64 - 2, 2 ** 63])
    assert index.ids.tolist() == [1, 2, 3, 2 ** 64 - 2, 2 ** 63]
    assert index.search(rows[3], k=1)[1].tolist() == [[2 ** 64 - 2]]
    negative = akin.Index(rows[:3], ids=[1, -2, 3])
    with pytest.raises(OverflowError, match="below 0"):
        negative.add(rows[3:4], ids=[2 ** 63])
    assert len(negative) == 3


def test_ids_of_text(rows):
    names = [f"row {i}, é" for i in range(len(rows))]
    index = akin.Index(rows, ids=names)
    assert index.search(rows[2], k=1)[1].tolist() == [["row 2, é"]]
    more = index.search(rows[0], k=len(rows) + 1)
    assert more[1][0, -1] is None and np.isnan(more[0][0, -1])


@pytest.mark.parametrize("ids, error", [
    ([1, 1], ValueError), ([1], ValueError), ([1, "a"], TypeError),
    ([1.5, 2.5], TypeError), (["", "a"], ValueError), (["a\nb", "c"], ValueError),
    ([2 ** 64, 1], OverflowError), ([2 ** 63, -1], OverflowError),
    ([-2 ** 63 - 1, 1], OverflowError), ([True, False], TypeError)])
def test_ids_that_are_refused(ids, error):
    with pytest.raises(error):
        akin.Index(np.eye(2), ids=ids)


def test_add_and_remove(rows):
    index = akin.Index(rows[:100], ids=range(1000, 1100))
    index.add(rows[100:200], ids=range(5000, 5100))
    whole = akin.Index(rows[:200])
    wanted = whole.search(rows[:50], k=9)
    scores, ids = index.search(rows[:50], k=9)
    np.testing.assert_array_equal(scores, wanted[0])
    np.testing.assert_array_equal(
        ids, np.where(wanted[1] < 100, wanted[1] + 1000, wanted[1] + 4900))
    for bad in (None, range(1000, 1100), [str(i) for i in range(100)]):
        with pytest.raises((ValueError, TypeError)):
            index.add(rows[:100], ids=bad)
    assert len(index) == 200


@pytest.mark.parametrize("ids", [None, range(100, 110), list("abcdefghij")])
@pytest.mark.parametrize("options", [{}, {"approximate": "hnsw"}])
def test_rows_are_replaced(rows, tmp_path, ids, options):
    """A row is removed and added anew, which is how rows are updated."""
    index = akin.Index(rows[:10], ids=ids, **options)
    fifth = index.ids.tolist()[5]
    index.remove([fifth])
    index.save(tmp_path / "x.index")
    for back in (index, akin.Index.load(tmp_path / "x.index"),
                 pickle.loads(pickle.dumps(index))):
        assert len(back) == len(back.ids) == 9 and fifth not in back.ids
        for use in (lambda: back.remove([fifth]),
                    lambda: back.search(rows[5], filter=[fifth]),
                    lambda: back.search(None, like=[fifth])):
            with pytest.raises(KeyError):
                use()
        wanted = back.ids.tolist()[6]
        found = back.search(rows[5], k=1, filter=np.arange(9) == 6)[1]
        assert found.tolist() == [[wanted]]
        found = back.search(rows[5], k=1, filter=lambda i: i == wanted)[1]
        assert found.tolist() == [[wanted]]
        back.add(rows[5:6], ids=None if ids is None else [fifth])
        last = 10 if ids is None else fifth
        assert back.ids.tolist()[9] == last and len(back) == 10
        assert back.search(rows[5], k=1)[1].tolist() == [[last]]
        if ids is not None:
            with pytest.raises(ValueError, match="there is a row"):
                back.add(rows[5:6], ids=[fifth])
        back.remove([last])
        assert back.search(rows[5], k=1)[1].tolist() != [[last]]


def test_all_rows_are_replaced(rows):
    index = akin.Index(rows[:4], ids=[3, 5, 7, 9])
    index.remove([3, 5, 7, 9])
    assert len(index) == 0 and index.ids.tolist() == []
    with pytest.raises(ValueError, match="either all rows have ids"):
        index.add(rows[:1])
    index.add(rows[1:3], ids=[5, 6])
    assert index.search(rows[2], k=2)[1].tolist() == [[6, 5]]


# ---- filters and examples ----

def test_filters_agree(rows):
    index = akin.Index(rows, ids=[f"r{i}" for i in range(len(rows))])
    even = np.arange(len(rows)) % 2 == 0
    names = index.ids[even].tolist()
    wanted = brute(rows[even], rows[:5], 3)[1] * 2
    for given in (even, names, set(names), lambda s: int(s[1:]) % 2 == 0):
        found = index.search(rows[:5], k=3, filter=given)[1]
        assert found.tolist() == [[f"r{i}" for i in row] for row in wanted]
    with pytest.raises(ValueError):
        index.search(rows[0], filter=even[:5])
    with pytest.raises(KeyError):
        index.search(rows[0], filter=["nobody"])


def test_examples(rows):
    index = akin.Index(rows)
    _, found = index.search(None, k=3, like=[4, 9])
    mean = (rows[4] + rows[9]) / 2
    order = [i for i in brute(rows, mean[None], 10)[1][0] if i not in (4, 9)]
    assert found[0].tolist() == order[:3]


# ---- errors ----

def test_errors(rows):
    index = akin.Index(rows)
    for bad in (rows[:, :5], np.full((1, 12), np.nan)):
        with pytest.raises(ValueError):
            index.search(bad)
    with pytest.raises(ValueError, match="by is 'far'"):
        index.search(rows[0], by="far")
    with pytest.raises(ValueError, match="k is 0"):
        index.search(rows[0], k=0)
    with pytest.raises(TypeError):
        akin.Index(rows, model=3)
    with pytest.raises(ValueError, match="approximate"):
        akin.Index(rows, approximate="magic")
    with pytest.raises(akin.MissingFileError):
        akin.Index.load("nowhere.index")
    assert index.search(np.empty((0, 12)), k=3)[1].shape == (0, 3)


@pytest.mark.parametrize("ids", [None, range(1, 501)])
@pytest.mark.parametrize("bad", [1.5, 1.0, np.float32(2.0), True, "1", None])
def test_fractions_are_no_ids(rows, ids, bad):
    index = akin.Index(rows, ids=ids)
    for use in (index.remove,
                lambda some: index.search(rows[0], filter=set(some)),
                lambda some: index.search(None, like=some),
                lambda some: index.search(rows[0], unlike=some)):
        with pytest.raises(TypeError, match="an id is .* whole number"):
            use([bad])
    assert len(index) == 500
    assert len(index.remove([np.int32(1)]).remove(np.array([2]))) == 498


def test_k_is_a_whole_number(rows):
    index = akin.Index(rows)
    for bad in (2.5, 2.0, None, "2", True):
        with pytest.raises(TypeError, match="k is .* whole number"):
            index.search(rows[0], k=bad)
    assert index.search(rows[0], k=np.int64(2))[1].shape == (1, 2)


@pytest.mark.parametrize("name, use, kind", [
    ("effort is 0", lambda X: akin.Index(X, effort=0), ValueError),
    ("effort is -1", lambda X: akin.Index(X, effort=-1), ValueError),
    ("effort is '9'", lambda X: akin.Index(X, effort="9"), TypeError),
    ("effort is -1", lambda X: akin.Index(X).search(X, effort=-1), ValueError),
    ("links is 0", lambda X: akin.Index(X, links=0), ValueError),
    ("links is 2.5", lambda X: akin.Index(X, links=2.5), TypeError),
    ("approximate", lambda X: akin.Index(X, approximate=None), ValueError),
    ("by is", lambda X: akin.Index(X, by=[]), ValueError),
    ("n_jobs is 'b'", lambda X: akin.Index(X, n_jobs="b"), TypeError),
    ("n_jobs is 1.5", lambda X: akin.Index(X).search(X, n_jobs=1.5), TypeError),
    ("ids is 3", lambda X: akin.Index(X).remove(3), TypeError),
    ("ids is 'ab'", lambda X: akin.Index(X[:2], ids=["a", "b"]).remove("ab"),
     TypeError),
    ("ids has lists", lambda X: akin.Index(X[:1], ids=["a"]).remove([["a"]]),
     TypeError),
    ("filter is 3", lambda X: akin.Index(X).search(X, filter=3), TypeError),
    ("like is 3", lambda X: akin.Index(X).search(X, like=np.array(3)),
     TypeError),
    ("ids is 3", lambda X: akin.Index(X, ids=3), TypeError),
    ("ids is 'ab'", lambda X: akin.Index(X[:2], ids="ab"), TypeError),
    ("ids are whole", lambda X: akin.Index(X[:2], ids=[[1], [2]]), TypeError)])
def test_arguments_that_are_refused(rows, name, use, kind):
    with pytest.raises(kind, match=name):
        use(rows)


def test_models_that_are_refused(rows, tmp_path):
    from sklearn.exceptions import NotFittedError
    from sklearn.neighbors import KNeighborsClassifier
    labels = np.arange(len(rows)) % 2
    collection = akin.Collection.vectors(tmp_path / "c.akin", rows)
    uses = (lambda model: akin.Index(rows, model), collection.set_model,
            lambda model: akin.metrics.retrieval(model, rows, labels))
    for use in uses:
        with pytest.raises(NotFittedError, match="This LDA instance"):
            use(akin.LDA())
        with pytest.raises(TypeError, match="make an instance"):
            use(akin.LDA)
        for bad in (3, None, KNeighborsClassifier(), object):
            with pytest.raises(TypeError, match="estimator of akin"):
                use(bad)


# ---- files ----

@pytest.mark.parametrize("options", [{}, {"approximate": "hnsw"},
                                     {"ids": "text"}, {"ids": "numbers"}])
def test_an_index_comes_back(rows, tmp_path, options):
    ids = {"text": [f"n{i}" for i in range(len(rows))],
           "numbers": list(range(7, 7 + len(rows))), None: None}
    options = dict(options, ids=ids[options.get("ids")])
    index = akin.Index(rows, **options)
    index.remove(index.ids[[1]].tolist())
    wanted = index.search(rows[:20], k=4)
    index.save(tmp_path / "x.index")
    for back in (akin.Index.load(tmp_path / "x.index"), copy.deepcopy(index),
                 pickle.loads(pickle.dumps(index))):
        scores, found = back.search(rows[:20], k=4)
        np.testing.assert_array_equal(scores, wanted[0])
        assert found.tolist() == wanted[1].tolist()
        assert found.dtype == wanted[1].dtype and len(back) == len(rows) - 1
    if options["ids"] is not None and options["ids"][0] == 7:
        as_text = akin.Index.load(tmp_path / "x.index", ids=str)
        assert as_text.search(rows[0], k=1)[1].tolist() == [["7"]]


def test_an_index_is_mapped(tmp_path):
    """Opening a file does not read it into memory of the process's own."""
    X = np.random.RandomState(1).randn(200_000, 64).astype(np.float32)
    akin.Index(X).save(tmp_path / "x.index")
    code = f"""
import akin, numpy as np
def own():
    return sum(int(line.split()[1]) for line in open("/proc/self/smaps_rollup")
               if line.startswith("Anonymous"))
akin.Index(np.eye(3, dtype="f")).search([1, 0, 0])
before = own()
index = akin.Index.load({str(tmp_path / "x.index")!r})
print(own() - before)
"""
    grown = int(subprocess.run([sys.executable, "-c", code], check=True,
                               capture_output=True, text=True).stdout)
    assert grown * 1024 < X.nbytes / 4


# ---- memory ----

def test_results_are_not_copied(rows):
    scores, ids = akin.Index(rows).search(rows[:3])
    for array in (scores, ids):
        assert not array.flags.owndata
        array[0, 0] = 5  # and are the caller's


def peak_growth(code):
    """Bytes that the peak of memory grows by while `work()` runs."""
    whole = f"""
import resource, numpy as np, akin
{code}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
work()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    return 1024 * int(subprocess.run([sys.executable, "-c", whole], check=True,
                                     capture_output=True, text=True).stdout)


def test_queries_are_not_copied():
    grown = peak_growth("""
Q = np.random.RandomState(0).randn(600_000, 64).astype(np.float32)
index = akin.Index(Q[:20])
index.search(Q[:100_000], k=1)  # threads and their memory
def work():
    index.search(Q, k=1)
""")
    assert grown < 600_000 * 64 * 4 / 3, grown  # 600,000 x 16 bytes of results


# ---- threads ----

def test_eight_threads_search_while_another_trains(rows, iris):
    index = akin.Index(rows, n_jobs=1)
    wanted = index.search(rows, k=5)
    failed, searched, trained = [], [], []
    stop = threading.Event()

    def search():
        try:
            while not stop.is_set() or not searched:
                scores, ids = index.search(rows, k=5)
                np.testing.assert_array_equal(ids, wanted[1])
                np.testing.assert_array_equal(scores, wanted[0])
                searched.append(1)
        except BaseException as e:
            failed.append(e)

    def train():
        try:
            X, y = iris
            first = akin.NCA(verdict="none", n_jobs=1).fit(X, y).transform(X)
            again = akin.NCA(verdict="none", n_jobs=1).fit(X, y).transform(X)
            np.testing.assert_array_equal(first, again)
            trained.append(1)
        except BaseException as e:
            failed.append(e)
        finally:
            stop.set()

    threads = [threading.Thread(target=search) for _ in range(8)]
    threads.append(threading.Thread(target=train))
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed and trained and len(searched) >= 8


def test_changes_wait_for_searches(rows):
    index = akin.Index(rows[:50], n_jobs=1)
    failed = []

    def search():
        try:
            for _ in range(60):
                ids = index.search(rows[:10], k=1)[1]
                np.testing.assert_array_equal(ids[:, 0], np.arange(10))
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for t in threads:
        t.start()
    for i in range(50, 450, 10):
        index.add(rows[i:i + 10])
    for t in threads:
        t.join()
    assert not failed and len(index) == 450


def test_the_gil_is_released():
    X = np.random.RandomState(0).randn(30_000, 64).astype(np.float32)
    index = akin.Index(X, n_jobs=1)
    done = threading.Event()
    turns = 0

    def search():
        index.search(X[:3000], k=10)
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 5  # 1 where it is held


# ---- Ctrl-C ----

def test_control_c_cancels_and_the_index_serves_on():
    """The signal comes in the middle of a search that takes minutes."""
    code = """
import os, signal, threading, time
import numpy as np, akin
X = np.random.RandomState(0).randn(200_000, 64).astype(np.float32)
index = akin.Index(X, n_jobs=1)
wanted = index.search(X[:3], k=2)[1]
timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
try:
    timer.start()
    index.search(X, k=10)
    print("not interrupted")
except KeyboardInterrupt:
    for thread in threading.enumerate():
        if thread.name == "akin":
            thread.join(20)
            assert not thread.is_alive()
    np.testing.assert_array_equal(index.search(X[:3], k=2)[1], wanted)
    print("interrupted")
"""
    said = subprocess.run([sys.executable, "-c", code], check=True,
                          capture_output=True, text=True,
                          timeout=120).stdout
    assert said == "interrupted\n"


# ---- dask ----

def test_dask_ships_an_index(rows):
    distributed = pytest.importorskip("distributed")
    index = akin.Index(rows, ids=range(100, 600))
    wanted = index.search(rows[:8], k=3)
    with distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=True,
            dashboard_address=None, silence_logs=50) as cluster, \
            distributed.Client(cluster) as client:
        found = client.submit(index.search, rows[:8], 3).result()
    np.testing.assert_array_equal(found[1], wanted[1])
    np.testing.assert_array_equal(found[0], wanted[0])


def test_searches_leave_nothing_behind(rows):
    """Also those that fail, and indexes that are made and dropped."""
    index = akin.Index(rows, n_jobs=1, ids=[f"r{i}" for i in range(len(rows))])

    def resident():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * resource.getpagesize()

    def work(count):
        for i in range(count):
            index.search(rows[:50], k=20)
            with pytest.raises(ValueError):
                index.search(rows[:2], k=3, by="far")
            if i % 10 == 0:
                pickle.loads(pickle.dumps(akin.Index(rows, n_jobs=1)))
        gc.collect()

    work(100)
    before = resident()
    work(600)
    assert resident() - before < 3 * 2 ** 20


def test_threads_search_while_others_add(iris):
    X, _ = iris
    index = akin.Index(X, ids=np.arange(len(X)))
    failed, stop = [], threading.Event()

    def look():
        try:
            while not stop.is_set():
                _, ids = index.search(X[:20], k=5)
                assert (ids >= 0).all()
                assert len(index.ids) >= len(X)
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for t in threads:
        t.start()
    for i in range(60):
        index.add(X[:3], ids=[1000 + 3 * i, 1001 + 3 * i, 1002 + 3 * i])
        index.remove([1000 + 3 * i])
    stop.set()
    for t in threads:
        t.join()
    assert not failed
    assert len(index) == len(X) + 120


def test_a_filter_may_use_the_index(iris):
    X, _ = iris
    index = akin.Index(X[:20], ids=np.arange(20))

    def passes(i):
        if i == 7 and 7 in index.ids:
            index.remove([7])
        return i > 5

    _, ids = index.search(X[:1], k=20, filter=passes)
    assert set(ids[0].tolist()) == set(range(6, 20)) - {7} | {-1}


def test_a_huge_k_is_refused(iris):
    X, _ = iris
    index = akin.Index(X)
    for k in (10**9, 2**70):
        with pytest.raises(ValueError, match="the index has 150 rows"):
            index.search(X[:3], k=k)
    assert index.search(X[:3], k=200)[1].shape == (3, 200)
