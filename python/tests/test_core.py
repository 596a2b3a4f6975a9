"""Errors, rows, contexts, and what importing costs."""
import errno
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from scipy import sparse

import akin
from akin import _core
from akin._core import Context, ffi, lib


def test_every_status_has_an_exception():
    names = {_core.text(lib.akin_status_name(st))
             for st in range(lib.AKIN_STATUS_COUNT)}
    assert names - {"OK"} == set(_core.ERRORS)


@pytest.mark.parametrize("status, kinds", [
    (lib.AKIN_EINVAL, (ValueError,)), (lib.AKIN_EFORMAT, (ValueError,)),
    (lib.AKIN_ENOENT, (FileNotFoundError,)), (lib.AKIN_ESHAPE, (ValueError,)),
    (lib.AKIN_EABSENT, (NotImplementedError,)), (lib.AKIN_EIO, (OSError,)),
    (lib.AKIN_ENOMEM, (MemoryError,)), (lib.AKIN_ENUMERIC, (ArithmeticError,)),
    (lib.AKIN_ENOSPC, (OSError,)), (lib.AKIN_EBUSY, (OSError,))])
def test_errors_are_of_the_kind_that_python_has(status, kinds):
    error = _core.error_of(status, "what happened")
    assert isinstance(error, (akin.Error, *kinds))
    assert "what happened" in str(error)


@pytest.mark.parametrize("status, number, kind", [
    (lib.AKIN_EIO, errno.ENOENT, FileNotFoundError),
    (lib.AKIN_ENOENT, errno.ENOENT, FileNotFoundError),
    (lib.AKIN_ENOENT, errno.EISDIR, IsADirectoryError),
    (lib.AKIN_EIO, errno.ENOTDIR, NotADirectoryError),
    (lib.AKIN_ENOENT, errno.EACCES, PermissionError),
    (lib.AKIN_EIO, errno.EROFS, akin.InputOutputError),
    (lib.AKIN_ENOSPC, errno.EDQUOT, akin.NoSpaceError)])
def test_errors_of_files_are_as_open_raises_them(status, number, kind):
    error = _core.error_of(status, f"a: b/c: {os.strerror(number)}")
    assert isinstance(error, kind) and isinstance(error, akin.Error)
    assert isinstance(error, FileNotFoundError) == (number == errno.ENOENT)
    assert (error.errno, error.filename) == (number, "a: b/c")
    assert error.strerror == os.strerror(number)
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error) and str(back) == str(error)


@pytest.mark.parametrize("mode, use, path", [
    ("wb", lambda X, path: akin.Index(X).save(path), "no/x"),
    ("wb", lambda X, path: akin.PCA().fit(X).save(path), "file/x"),
    ("wb", lambda X, path: akin.write(path + ".csv", X), "no/x"),
    ("wb", lambda X, path: akin.Index(X).save(path), "folder"),
    ("rb", lambda X, path: akin.Index.load(path), "folder"),
    ("rb", lambda X, path: akin.load(path), "folder"),
    ("rb", lambda X, path: akin.load(path), "none")])
def test_files_that_cannot_be_opened(mode, use, path, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    path = str(tmp_path / path)
    with pytest.raises(OSError) as wanted:
        open(path, mode)
    with pytest.raises(akin.Error) as found:
        use(np.eye(3), path)
    assert isinstance(found.value, wanted.type)
    assert found.value.errno == wanted.value.errno
    assert found.value.filename.removesuffix(".csv") == path


def test_the_message_is_that_of_the_library(tmp_path):
    path = tmp_path / "none.safetensors"
    with pytest.raises(FileNotFoundError, match="none.safetensors"):
        akin.load(path)
    path.write_bytes(b"no model")
    with pytest.raises(akin.FormatError, match="none.safetensors"):
        akin.load(path)


@pytest.mark.parametrize("X", [
    np.arange(12, dtype=np.float32).reshape(3, 4),
    np.arange(12, dtype=np.float64).reshape(3, 4),
    np.arange(24, dtype=np.float32).reshape(3, 8)[:, ::2],
    np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4)),
    np.arange(12).reshape(3, 4)[::-1]])
def test_dense_rows_come_back(X):
    with Context() as ctx:
        got = _core.to_array(_core.rows_of(ctx, X))
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, X)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_come_back(index):
    X = sparse.random(20, 30, 0.2, format="csr", random_state=0,
                      dtype=np.float32)
    X.indptr, X.indices = X.indptr.astype(index), X.indices.astype(index)
    with Context() as ctx:
        got = _core.to_array(_core.rows_of(ctx, X))
    assert (got != X).nnz == 0


def test_sparse_rows_of_any_form_are_put_in_order():
    X = sparse.coo_matrix(([1.0, 2.0, 4.0, 0.0], ([0, 0, 1, 1], [2, 2, 0, 1])),
                          shape=(2, 3))
    with Context() as ctx:
        got = _core.to_array(_core.rows_of(ctx, X.tocsr()))
    np.testing.assert_array_equal(got.toarray(), [[0, 0, 3], [4, 0, 0]])


def test_an_exception_in_a_long_call_is_raised():
    def fails():
        raise TypeError("what happened")

    with Context() as ctx, pytest.raises(TypeError, match="what happened"):
        ctx.run(fails)


def malformed(form, part, change, canonical):
    """A sparse matrix with a part that does not fit the others."""
    X = sparse.random(20, 30, 0.2, format=form, random_state=0,
                      dtype=np.float32)
    setattr(X, part, change(getattr(X, part).copy()))
    if canonical:
        X.has_sorted_indices = X.has_canonical_format = True
    return X


def put(place, value):
    def change(array):
        array[place] = value
        return array
    return change


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("part, change, said", [
    ("indptr", put(5, 10 ** 6), "increase"), ("indptr", put(3, -9), "increase"),
    ("indptr", put(0, 1), "increase"),
    ("indptr", put(-1, 10 ** 6), "ends with"),
    ("indptr", lambda a: a[:-3], "has 18|has 28"),
    ("indices", lambda a: a[:-3], "ends with"),
    ("data", lambda a: a[:-3], "ends with"),
    ("indices", put(2, 10 ** 6), "from 0"), ("indices", put(2, -5), "from 0")])
def test_malformed_sparse_rows(form, part, change, said, canonical):
    X = malformed(form, part, change, canonical and form != "bsr")
    with pytest.raises(ValueError, match=f"malformed {form.upper()}.*({said})"):
        akin.Index(X)
    with pytest.raises(ValueError, match="preprocessor is a malformed"):
        akin.LDA(preprocessor=X).fit([0, 1, 2], [0, 0, 1])
    with Context() as ctx, pytest.raises(ValueError, match="malformed"):
        _core.rows_of(ctx, X)


@pytest.mark.parametrize("part", ["row", "col"])
@pytest.mark.parametrize("change", [put(2, 10 ** 6), put(2, -1),
                                    lambda a: a[:-3]])
def test_malformed_coordinates(part, change):
    with pytest.raises(ValueError, match="X is a malformed COO"):
        akin.Index(malformed("coo", part, change, False))


def test_sparse_rows_with_room_for_more():
    X = sparse.random(20, 30, 0.2, format="csr", random_state=0,
                      dtype=np.float32)
    wide = X.copy()
    wide.data = np.append(X.data, np.float32([7, 7]))
    wide.indices = np.append(X.indices, np.int32([1, 2]))
    with Context() as ctx:
        got = _core.to_array(_core.rows_of(ctx, wide))
    assert (got != X).nnz == 0


def test_labels_are_named_as_files_name_them():
    assert _core.label_names(np.array([1.0, 2.0])) == ["1", "2"]
    assert _core.label_names(np.array(["a", "é"])) == ["a", "é"]
    assert _core.label_names(np.array([True, False])) == ["True", "False"]


def test_threads_are_counted_as_scikit_learn_counts():
    cores = os.cpu_count()
    assert [_core.threads_of(n) for n in (None, -1, 1, 3)] == [0, 0, 1, 3]
    assert _core.threads_of(-2) == max(1, cores - 1)
    with pytest.raises(ValueError):
        _core.threads_of(0)


def test_an_exception_of_a_callback_is_raised(iris):
    class Stop(Exception):
        pass

    def progress(*_):
        raise Stop("enough")

    X, y = iris
    with Context(progress=progress) as ctx:
        rows = _core.rows_of(ctx, X)
        _core.labels_of(ctx, rows, y, np.unique(y))
        known = _core.call(ctx, lib.akin_supervision_new, "akin_supervision",
                           lib.akin_supervision_free, rows, ffi.NULL, ffi.NULL)
        lib.akin_supervision_sample(known, 10 ** 9, 1)
        options = _core.call(ctx, lib.akin_options_new, "akin_options",
                             lib.akin_options_free, b"oasis")
        with pytest.raises(Stop):
            _core.long_call(ctx, lib.akin_learn, "akin_model",
                            lib.akin_model_free, options, known, ffi.NULL)


def test_ctrl_c_cancels_and_leaves_the_estimator_as_it_was(iris):
    X, y = iris
    e = akin.OASIS(verdict="none", compare="dot").fit(X, y)
    before = e.transform(X)
    e.set_params(sample=10 ** 9, passes=1)

    def interrupt():
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        threading.Thread(target=interrupt).start()
        e.fit(X, y)
    np.testing.assert_array_equal(e.transform(X), before)
    for thread in threading.enumerate():
        if thread.name == "akin":
            thread.join(20)
            assert not thread.is_alive()


def test_the_gil_is_released(iris):
    """A thread of Python counts on while a fit works."""
    X, y = iris
    e = akin.OASIS(verdict="none", compare="dot", sample=3_000_000, passes=1,
                   n_jobs=1)
    worker = threading.Thread(target=e.fit, args=(X, y))
    worker.start()
    counted = 0
    while worker.is_alive():
        time.sleep(0.001)
        counted += 1
    assert counted > 5  # 1 where it is held


def test_threads_do_not_disturb_each_other(iris):
    """Eight threads fit, and use one estimator at the same time."""
    X, y = iris
    shared = akin.LDA(verdict="none").fit(X, y)
    expected = shared.transform(X), shared.predict(X)
    learned = akin.OASIS(verdict="none", sample=500).fit(X, y).transform(X)
    failed = []

    def work():
        try:
            for _ in range(5):
                np.testing.assert_array_equal(shared.transform(X), expected[0])
                np.testing.assert_array_equal(shared.predict(X), expected[1])
            own = akin.OASIS(verdict="none", sample=500, n_jobs=1).fit(X, y)
            np.testing.assert_array_equal(own.transform(X), learned)
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert failed == []


SCRIPT = """
import sys, time
start = time.process_time()
import numpy
between = time.process_time()
import akin
print(between - start, time.process_time() - between, *(m for m in ("sklearn", "scipy", "pandas", "tqdm", "matplotlib")
              if m in sys.modules))
"""


def test_importing_is_quick_and_loads_nothing_big(tmp_path):
    """On any machine: about as long as NumPy takes itself."""
    folder = os.path.dirname(os.path.dirname(akin.__file__))
    env = {**os.environ, "PYTHONPATH": folder,
           "PYTHONPYCACHEPREFIX": str(tmp_path)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    used = []
    for _ in range(5):
        numpy, own, *loaded = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, check=True,
            capture_output=True, text=True).stdout.split()
        assert loaded == []
        used.append((float(numpy), float(own)))
    numpy, own = (min(x) for x in zip(*used))
    assert own < 1.5 * numpy
