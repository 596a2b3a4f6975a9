"""Memory stays flat, and arrays of users are released."""
import ctypes
import gc
import os
import sys

import numpy as np
import pytest

import akin
from akin import _core
from akin._core import lib

# A thread that begins while another ends would get an arena of its own.
M_ARENA_MAX = -8
libc = ctypes.CDLL(None)
libc.mallopt(M_ARENA_MAX, 1)

# 10,000 where AKIN_LONG is set.
FITS = 10_000 if "AKIN_LONG" in os.environ else 600


def peak_of(work):
    """By how much memory grew during the work at most, and its result."""
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")
    before = resident()
    made = work()
    with open("/proc/self/status") as f:
        line = next(line for line in f if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 - before, made


def resident():
    """Bytes that are in use: counted by the kernel page by page, which statm is
    not, and without what malloc only keeps."""
    libc.malloc_trim(0)
    with open("/proc/self/smaps_rollup") as f:
        line = next(line for line in f if line.startswith("Rss:"))
    return int(line.split()[1]) * 1024


def test_fits_leave_nothing_behind(iris):
    X, y = iris
    kinds = [akin.LDA(verdict="none", n_jobs=1),
             akin.OASIS(verdict="none", compare="dot", sample=50, n_jobs=1),
             akin.Perceptron(verdict="none", passes=1, n_jobs=1)]

    def work(count):
        for t in range(count):
            e = kinds[t % len(kinds)].fit(X, y)
            e.predict(X[:3])
            if hasattr(e, "transform"):
                e.transform(X)
        gc.collect()

    work(FITS // 4)
    before = resident()
    work(FITS)
    grown = resident() - before
    assert grown < 2 ** 20 + 16 * FITS, f"{grown} bytes after {FITS} fits"


def test_failed_fits_leave_nothing_behind(iris):
    X, y = iris
    bad = akin.LDA(shrinkage=7)

    def work(count):
        for _ in range(count):
            try:
                bad.fit(X, y)
            except ValueError:
                pass
        gc.collect()

    work(FITS // 4)
    before = resident()
    work(FITS)
    assert resident() - before < 2 ** 20


def values_of(rows):
    pointers = [_core.ffi.new(kind) for kind in
                ("const int64_t **", "const int32_t **", "const float **")]
    lib.akin_rows_arrays(*pointers, rows)
    return int(_core.ffi.cast("uintptr_t", pointers[2][0]))


def test_numbers_are_not_copied(iris, words):
    """Neither on their way in nor out."""
    X, y = iris
    with _core.Context() as ctx:
        rows = _core.rows_of(ctx, X)
        assert values_of(rows) == X.ctypes.data
        counts = _core.rows_of(ctx, words[0])
        assert values_of(counts) == words[0].data.ctypes.data
        own = _core.call(ctx, lib.akin_rows_select, "akin_rows",
                         lib.akin_rows_free, rows,
                         _core.ffi.new("int64_t[]", [3, 1]), 2)
        out = _core.to_array(own)
        assert values_of(own) == out.ctypes.data
    del own
    gc.collect()
    np.testing.assert_array_equal(out, X[[3, 1]])
    out += 1  # it is ours


def test_rows_keep_their_array():
    with _core.Context() as ctx:
        rows = _core.rows_of(ctx, np.full((50, 40), 3, dtype=np.float32))
        gc.collect()
        np.testing.assert_array_equal(_core.to_array(rows), 3)


def test_big_rows_take_no_memory():
    X = np.ones((200_000, 64), dtype=np.float32)  # 49 MiB
    before = resident()
    with _core.Context() as ctx:
        rows = _core.rows_of(ctx, X)
        assert lib.akin_rows_borrows(rows)
        assert resident() - before < X.nbytes // 20


@pytest.mark.parametrize("learner", [
    akin.LDA(), akin.LoretaPSD(rank=2, sample=100),
    akin.SolisADA(sample=100)])
def test_transform_takes_the_memory_of_its_result(learner):
    rng = np.random.RandomState(0)
    X = rng.standard_normal((400_000, 64)).astype(np.float32)  # 98 MiB
    learner.set_params(verdict="none").fit(X[:500], X[:500, 0] > 0)
    parts = [learner.transform(X[:50_000]), learner.transform(X[-50_000:])]
    grown, made = peak_of(lambda: learner.transform(X))
    assert grown < made.nbytes + X.nbytes // 3
    np.testing.assert_array_equal(made[:50_000], parts[0])
    np.testing.assert_allclose(made[-50_000:], parts[1], rtol=1e-5, atol=1e-6)


def test_arrays_are_released(iris):
    X, y = iris
    X = X.copy()
    count = sys.getrefcount(X)
    e = akin.LDA(verdict="none").fit(X, y)
    e.transform(X)
    e.predict(X)
    del e
    gc.collect()
    assert sys.getrefcount(X) == count
