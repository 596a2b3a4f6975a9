"""What every part of the package uses of the C library: calls that raise,
contexts, rows of NumPy and SciPy arrays, text.

A call of the library releases the GIL. Its objects are kept as cffi handles
that free them when nothing refers to them any more.
"""
from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from akin._native import ffi, lib

__all__ = [
    "AbsentError", "AkinWarning", "BusyError", "CancelledError", "Context",
    "DeniedError", "Error", "FolderError", "FormatError", "InputOutputError",
    "InvalidError", "MissingFileError", "NoSpaceError", "NotConvergedWarning",
    "NotFolderError", "NumericError", "OutOfMemoryError",
    "ShapeError", "call", "encoded", "ffi", "labels_of", "lib", "names_array",
    "own", "path_bytes", "rows_of", "text", "to_array", "whole",
]


# ---- errors ------------------------------------------------------------------

class Error(Exception):
    """What the library reports; `status` is its name, as ``"ESHAPE"``."""
    status = ""


class InvalidError(Error, ValueError):
    """An argument or option is wrong."""
    status = "EINVAL"


class FormatError(Error, ValueError):
    """An input file is malformed."""
    status = "EFORMAT"


class MissingFileError(Error, FileNotFoundError):
    """A file, or the folder to write it to, is not there."""
    status = "ENOENT"


class ShapeError(Error, ValueError):
    """Sizes do not fit each other."""
    status = "ESHAPE"


class AbsentError(Error, NotImplementedError):
    """This build leaves the feature out."""
    status = "EABSENT"


class InputOutputError(Error, OSError):
    """Reading or writing failed."""
    status = "EIO"


class FolderError(InputOutputError, IsADirectoryError):
    """The path is a folder, not a file."""


class NotFolderError(InputOutputError, NotADirectoryError):
    """Part of the path is a file, not a folder."""


class DeniedError(InputOutputError, PermissionError):
    """The permission to read or write is missing."""


class OutOfMemoryError(Error, MemoryError):
    """Out of memory."""
    status = "ENOMEM"


class NumericError(Error, ArithmeticError):
    """A value is not finite or a factorisation failed."""
    status = "ENUMERIC"


class CancelledError(Error, RuntimeError):
    """Cancelled by a callback."""
    status = "ECANCELLED"


class NoSpaceError(Error, OSError):
    """No space is left on the disk."""
    status = "ENOSPC"


class BusyError(Error, BlockingIOError):
    """Another process has locked it for too long."""
    status = "EBUSY"


ERRORS: dict[str, type[Error]] = {
    kind.status: kind for kind in (
        InvalidError, FormatError, MissingFileError, ShapeError, AbsentError,
        InputOutputError, OutOfMemoryError, NumericError, CancelledError,
        NoSpaceError, BusyError)}
_ERRNO = {"ENOENT": errno.ENOENT, "EIO": errno.EIO, "ENOSPC": errno.ENOSPC,
          "EBUSY": errno.EBUSY}
# As open() of Python raises them.
_BY_ERRNO: dict[int, type[Error]] = {
    errno.ENOENT: MissingFileError, errno.EISDIR: FolderError,
    errno.ENOTDIR: NotFolderError, errno.EACCES: DeniedError,
    errno.EPERM: DeniedError}


class AkinWarning(UserWarning):
    """What the library warns of."""


class NotConvergedWarning(AkinWarning):
    """Learning stopped before it converged."""


def text(chars: Any) -> str:
    """A string of the library; "" for NULL."""
    if chars == ffi.NULL:
        return ""
    return bytes(ffi.string(chars)).decode("utf-8", "surrogateescape")


def error_of(status: int, message: str) -> Error:
    """The exception for a status."""
    name = text(lib.akin_status_name(status))
    kind = ERRORS.get(name, Error)
    message = message or text(lib.akin_status_meaning(status))
    if name not in _ERRNO:
        return kind(message)
    found = _system_error(message)
    if found is None:
        return kind(_ERRNO[name], message)
    number, path = found
    if name in ("ENOENT", "EIO"):
        kind = _BY_ERRNO.get(number, InputOutputError)
    return kind(number, os.strerror(number), path)


def _system_error(message: str) -> tuple[int, str] | None:
    """(errno, path) of "path: what the system says of errno"."""
    for number in errno.errorcode:
        said = ": " + os.strerror(number)
        if message.endswith(said):
            return number, message[:-len(said)]
    return None


# ---- contexts ----------------------------------------------------------------

class Context:
    """A context of the library, for one call or a few of one thread.

    n_jobs: threads, as scikit-learn counts them (-1: all cores; None: all of
    them too, for results do not depend on it). seed: of random numbers.
    progress: called with (what, done, total, loss); a true result cancels.

    A long call of the main thread runs in a thread of its own (`run`), so that
    Ctrl-C is heeded at once. The library cancels the call when it next looks;
    until then that thread keeps the context and what was made with it.
    """

    def __init__(self, n_jobs: int | None = None, seed: int | None = None,
                 progress: Callable[[str, int, int, float], Any] | None = None,
                 verbose: int = 0) -> None:
        out = ffi.new("akin_ctx **")
        status = lib.akin_ctx_new(out, ffi.NULL)
        if status != lib.AKIN_OK:
            raise error_of(status, "")
        self.handle = ffi.gc(out[0], lib.akin_ctx_free)
        self.progress = progress
        self.verbose = verbose
        self.kept: list[Any] = []  # what was made with it
        self.lines: list[str] = []  # warnings of the library
        self.raised: BaseException | None = None
        self.cancelled = False
        self._busy = False
        self._user = ffi.new_handle(self)
        lib.akin_ctx_set_threads(self.handle, threads_of(n_jobs))
        if seed is not None:
            lib.akin_ctx_set_seed(self.handle, seed)
        if progress is not None:
            lib.akin_ctx_set_progress(self.handle, lib.akin_py_progress,
                                      self._user)
        lib.akin_ctx_set_log(self.handle, lib.akin_py_log, self._user)

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._busy:
            self.close()

    def close(self) -> None:
        """Free it now rather than when the garbage collector comes by."""
        self.kept.clear()
        ffi.release(self.handle)

    def run(self, function: Any, *args: Any) -> int:
        """A call that may take long. Returns its status."""
        if threading.current_thread() is not threading.main_thread():
            return int(function(*args))
        status: list[int] = []
        failed: list[BaseException] = []
        ended = threading.Event()

        def work() -> None:
            try:
                status.append(function(*args))
            except BaseException as e:
                failed.append(e)
            finally:
                self._busy = False
                ended.set()

        self._busy = True
        try:
            threading.Thread(target=work, name="akin").start()
            ended.wait()
        except BaseException:
            self.cancelled = True
            lib.akin_ctx_set_cancelled(self.handle, 1)
            raise
        if failed:
            raise failed[0]
        return status[0]

    def check(self, status: int) -> None:
        """Raise what a call that gave this status met; pass on warnings."""
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised
        lines, self.lines = self.lines, []
        for line in lines:
            warnings.warn(line, AkinWarning, stacklevel=outside())
        if status != lib.AKIN_OK:
            raise error_of(status, text(lib.akin_ctx_message(self.handle)))


class ParameterError(ValueError, TypeError):
    """A parameter is of another kind than expected, or out of its range."""


def whole(value: Any, name: str, least: int | None = None) -> int:
    """A whole number, of Python or NumPy."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or \
            least is not None and value < least:
        bound = "" if least is None else f" of {least} or more"
        raise ParameterError(f"{name} is {value!r} (expected a whole number"
                             f"{bound})")
    return int(value)


def threads_of(n_jobs: int | None) -> int:
    """The number of threads; 0: as many as there are cores."""
    if n_jobs is None:
        return 0
    n_jobs = whole(n_jobs, "n_jobs")
    if n_jobs == -1:
        return 0
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    if n_jobs < 0:
        return max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    return n_jobs


def _keep(kind: Any, raised: BaseException, trace: Any) -> int:
    """An exception in the progress callback: cancel, raise it after the call."""
    ffi.from_handle(trace.tb_frame.f_locals["user"]).raised = raised
    return 1


@ffi.def_extern(onerror=_keep, error=1)  # type: ignore[misc]
def akin_py_progress(user: Any, p: Any) -> int:
    progress = ffi.from_handle(user).progress
    return int(bool(progress(text(p.what), p.done, p.total, p.loss)))


@ffi.def_extern()  # type: ignore[misc]
def akin_py_log(user: Any, level: int, line: Any) -> None:
    """Warnings become Python's; information is printed if wanted."""
    ctx: Context = ffi.from_handle(user)
    if level == lib.AKIN_LOG_WARNING:
        ctx.lines.append(text(line))
    elif ctx.verbose > 1:
        print(f"akin: {text(line)}", file=sys.stderr)


def outside() -> int:
    """How many frames up the caller of the package is."""
    level = 1
    frame = sys._getframe(1)
    here = os.path.dirname(__file__)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame = frame.f_back
        level += 1
    return level


def own(pointer: Any, free: Any) -> Any:
    """A handle that is freed when nothing refers to it any more."""
    return ffi.gc(pointer, free)


def call(ctx: Context, function: Any, kind: str, free: Any, *args: Any) -> Any:
    """A call that makes an object: function(&out, ctx, *args)."""
    out = ffi.new(kind + " **")
    ctx.check(function(out, ctx.handle, *args))
    return _made(ctx, out, free, args)


def long_call(ctx: Context, function: Any, kind: str, free: Any,
              *args: Any) -> Any:
    """A call that makes an object and may take long."""
    out = ffi.new(kind + " **")

    def work() -> int:
        status = int(function(out, ctx.handle, *args))
        # A run that was cancelled may have made something, too.
        if out[0] != ffi.NULL and (status != lib.AKIN_OK or ctx.cancelled):
            free(out[0])
        return status

    ctx.check(ctx.run(work))
    return _made(ctx, out, free, args)


def _made(ctx: Context, out: Any, free: Any, args: Any) -> Any:
    made = own(out[0], free)
    ctx.kept.append((made, args))
    return made


# ---- text --------------------------------------------------------------------

def path_bytes(path: str | os.PathLike[str]) -> bytes:
    """A path as the library takes it."""
    return _without_null(os.fsencode(path))


def encoded(word: str) -> bytes:
    """Text as the library takes it."""
    return _without_null(word.encode("utf-8", "surrogateescape"))


def _without_null(data: bytes) -> bytes:
    """A null byte ends a text of C: what follows would be lost."""
    if b"\0" in data:
        raise ValueError("embedded null byte")
    return data


@contextlib.contextmanager
def names_array(names: Sequence[str]) -> Iterator[Any]:
    """const char *const *, while the block lasts."""
    kept = [ffi.new("char[]", encoded(str(n))) for n in names]
    yield ffi.new("const char *[]", kept)


# ---- rows --------------------------------------------------------------------

def is_sparse(X: Any) -> bool:
    """Whether it is a matrix of SciPy, which need not be loaded."""
    module = sys.modules.get("scipy.sparse")
    return module is not None and bool(module.issparse(X))


def to_csr(X: Any, name: str = "X") -> Any:
    """A sparse matrix as CSR. SciPy reads beyond arrays that do not fit each
    other, so they are checked before it sees them."""
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead: "
                         f"{name} has the shape {X.shape}")
    if X.format in ("csr", "csc", "bsr"):
        _check_compressed(X, name)
    elif X.format == "coo":
        for part, most in zip((X.row, X.col), X.shape):
            if len(part) != len(X.data) or not _within(part, most):
                raise ValueError(f"{name} is a malformed COO matrix: its row "
                                 "and col do not fit its data and shape")
    return X.tocsr()


def _check_compressed(X: Any, name: str) -> None:
    block = X.blocksize if X.format == "bsr" else (1, 1)
    rows, columns = (size // side for size, side in zip(X.shape, block))
    if X.format == "csc":
        rows, columns = columns, rows
    offsets, count = X.indptr, min(len(X.indices), len(X.data))
    if offsets.shape != (rows + 1,):
        problem = f"indptr has {len(offsets)} numbers (expected {rows + 1})"
    elif offsets[0] != 0 or (offsets[1:] < offsets[:-1]).any():
        problem = "indptr does not increase from 0"
    elif offsets[-1] > count:
        problem = (f"indptr ends with {offsets[-1]}, but there are {count} "
                   "indices and values")
    elif not _within(X.indices[:offsets[-1]], columns):
        problem = f"indices are not all from 0 to {columns - 1}"
    else:
        return
    raise ValueError(f"{name} is a malformed {X.format.upper()} matrix: "
                     f"{problem}")


def _within(numbers: Any, count: int) -> bool:
    """Whether all of them are from 0 to count - 1."""
    return len(numbers) == 0 or bool(
        numbers.min() >= 0 and numbers.max() < count)


def rows_of(ctx: Context, X: Any, names: Sequence[str] | None = None,
            name: str = "X") -> Any:
    """Rows over a two-dimensional array or a sparse matrix, which they keep.
    float32 in C order and CSR of float32 are not copied."""
    try:
        rows = _csr_rows(ctx, to_csr(X, name)) if is_sparse(X) else \
            _dense_rows(ctx, X)
    except InvalidError as e:
        raise _not_finite(X, name) or e from None
    if names is not None:
        with names_array(names) as array:
            ctx.check(lib.akin_rows_set_columns(ctx.handle, rows, array,
                                                len(names)))
    return rows


def _not_finite(X: Any, name: str) -> Exception | None:
    """The error that scikit-learn has for such numbers."""
    values = X.data if is_sparse(X) else X
    if np.isnan(values).any():
        return ValueError(f"Input {name} contains NaN.")
    if not (np.abs(values) <= np.finfo(np.float32).max).all():
        return ValueError(f"Input {name} contains infinity or a value too "
                          "large for dtype('float32').")
    return None


_NUMBERS = {"float32": lib.AKIN_FLOAT32, "float64": lib.AKIN_FLOAT64,
            "int32": lib.AKIN_INT32, "int64": lib.AKIN_INT64}


def _dense_rows(ctx: Context, X: Any) -> Any:
    if X.dtype.name not in ("float32", "float64"):
        X = np.asarray(X, dtype=np.float32)
    array = ffi.new("akin_dense_array *", lib.akin_default_dense_array)
    array.n, array.d = X.shape
    array.values = ffi.cast("void *", X.ctypes.data)
    array.type = _NUMBERS[X.dtype.name]
    array.row_step, array.column_step = X.strides
    return _borrow(ctx, lib.akin_rows_borrow_dense, array, X)


def _csr_rows(ctx: Context, X: Any) -> Any:
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    count = X.indptr[-1]  # there may be room for more
    values = X.data if X.dtype.name in ("float32", "float64") else \
        X.data.astype(np.float32)
    parts = [np.ascontiguousarray(part)
             for part in (X.indptr, X.indices[:count], values[:count])]
    array = ffi.new("akin_csr_array *", lib.akin_default_csr_array)
    array.n, array.d = X.shape
    array.count = count
    array.offsets, array.columns, array.values = (
        ffi.cast("void *", part.ctypes.data) for part in parts)
    array.offset_type, array.column_type, array.value_type = (
        _NUMBERS[part.dtype.name] for part in parts)
    return _borrow(ctx, lib.akin_rows_borrow_csr, array, parts)


def _borrow(ctx: Context, function: Any, array: Any, kept: Any) -> Any:
    """Rows that keep the arrays they are over."""
    out = ffi.new("akin_rows **")
    ctx.check(function(out, ctx.handle, array))

    def free(rows: Any, kept: Any = kept) -> None:
        lib.akin_rows_free(rows)

    made = own(out[0], free)
    ctx.kept.append(made)
    return made


class _Numbers:
    """Numbers of rows as an array, which keeps them."""

    def __init__(self, rows: Any, pointer: Any, shape: tuple[int, ...],
                 kind: str) -> None:
        self.rows = rows
        self.__array_interface__ = {
            "version": 3, "shape": shape, "typestr": kind,
            "data": (int(ffi.cast("uintptr_t", pointer)), False)}


def to_array(rows: Any) -> Any:
    """Rows as a float32 array, or as a CSR matrix of SciPy if sparse; their
    numbers are not copied unless they are those of another array."""
    n, d = lib.akin_rows_count(rows), lib.akin_rows_dim(rows)
    offsets = ffi.new("const int64_t **")
    columns = ffi.new("const int32_t **")
    values = ffi.new("const float **")
    count = lib.akin_rows_arrays(offsets, columns, values, rows)
    sparse = bool(lib.akin_rows_is_sparse(rows))

    def numbers(pointer: Any, shape: tuple[int, ...], kind: str) -> Any:
        if 0 in shape:
            return np.empty(shape, dtype=kind)
        made = np.asarray(_Numbers(rows, pointer[0], shape, kind))
        return made.copy() if lib.akin_rows_borrows(rows) else made

    if not sparse:
        return numbers(values, (n, d), "<f4")
    from scipy.sparse import csr_matrix
    return csr_matrix((numbers(values, (count,), "<f4"),
                       numbers(columns, (count,), "<i4"),
                       numbers(offsets, (n + 1,), "<i8")), shape=(n, d))


def label_names(classes: Any) -> list[str]:
    """Classes as the library names labels: 3.0 is "3"."""
    return [str(int(c)) if isinstance(c, (float, np.floating)) and c == int(c)
            else str(c) for c in classes]


def labels_of(ctx: Context, rows: Any, codes: Any, classes: Any) -> None:
    """Give rows labels: codes are numbers into the classes, -1 for none."""
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    with names_array(label_names(classes)) as names:
        ctx.check(lib.akin_rows_set_labels(
            ctx.handle, rows, ffi.from_buffer("int32_t[]", codes), names,
            len(classes)))
