"""Files of rows, in every format that the program reads and writes."""
from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from akin import _core, _validate
from akin._core import Context, call, ffi, lib, text


class Rows(NamedTuple):
    """What a file has."""
    X: Any
    """A float32 array, or a CSR matrix where rows are sparse."""
    y: Any
    """One label a row (None for none); a list of them where a row has several;
    None where the file has no labels. Whole numbers are int64."""
    columns: Any
    """Names of the columns, "" for none; None where no column has one."""


def read(path: str | os.PathLike[str], *, labels: Any = None,
         label_column: Any = None, variable: str | None = None,
         label_variable: str | None = None, index_base: int | None = None,
         dim: int = 0) -> Rows:
    """Read rows from a file; its extension names the format: svm (svmlight,
    libsvm), csv, tsv, npy, npz, fvecs, ivecs, safetensors or mat. The texts
    svm, csv and tsv may be compressed: .csv.gz, .csv.zst.

    labels : a file of labels, one a row
    label_column : csv: its name or number; "none": none
    variable, label_variable : mat, npz: the matrix and its labels
    index_base : svm: 0 or 1; None: as the file says
    dim : columns; 0: as many as the file has

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.csv")
    >>> write(path, [[1, 2], [3, 4]], ["a", "b"], columns=["x", "z"])
    >>> X, y, columns = read(path)
    >>> X.tolist(), y.tolist(), columns
    ([[1.0, 2.0], [3.0, 4.0]], ['a', 'b'], ['x', 'z'])
    """
    o = ffi.new("akin_read_options *", lib.akin_default_read)
    kept = []
    for name, value in (("labels", labels), ("label_column", label_column),
                        ("variable", variable),
                        ("label_variable", label_variable)):
        if value is not None:
            kept.append(ffi.new("char[]", _core.path_bytes(
                value if isinstance(value, (str, os.PathLike)) else str(value))))
            setattr(o, name, kept[-1])
    o.dim = _core.whole(dim, "dim", 0)
    if index_base is not None:
        if index_base not in (0, 1):
            raise ValueError(f"index_base is {index_base} (expected 0 or 1)")
        o.index_base = lib.AKIN_BASE_1 if index_base else lib.AKIN_BASE_0
    with Context() as ctx:
        rows = call(ctx, lib.akin_rows_read, "akin_rows", lib.akin_rows_free,
                    _core.path_bytes(path), o)
        return Rows(_core.to_array(rows), labels_in(rows), _columns_in(rows))


def labels_in(rows: Any) -> Any:
    """The labels of rows, as `Rows.y` has them."""
    count = lib.akin_rows_label_count(rows)
    if count == 0:
        return None
    names: Any = [text(lib.akin_rows_label_name(rows, k)) for k in range(count)]
    number = ffi.new("int64_t *")
    if all(lib.akin_label_number(number, s.encode("utf-8", "surrogateescape"))
           for s in names):
        names = [int(s) for s in names]
    out = ffi.new("const int32_t **")
    lists = []
    for i in range(lib.akin_rows_count(rows)):
        n = lib.akin_rows_labels(out, rows, i)
        lists.append([names[out[0][k]] for k in range(n)])
    if any(len(found) > 1 for found in lists):
        return lists
    flat = [found[0] if found else None for found in lists]
    return np.array(flat, dtype=None if None not in flat and
                    isinstance(names[0], int) else object)


def _columns_in(rows: Any) -> list[str] | None:
    names = [text(lib.akin_rows_column_name(rows, j))
             for j in range(lib.akin_rows_dim(rows))] \
        if _has_names(rows) else []
    return names if any(names) else None


def _has_names(rows: Any) -> bool:
    """Names are few and come first; sparse rows may have millions of columns."""
    d = lib.akin_rows_dim(rows)
    return any(lib.akin_rows_column_name(rows, j) != ffi.NULL
               for j in range(min(d, 64)))


def write(path: str | os.PathLike[str], X: Any, y: Any = None, *,
          columns: Any = None) -> None:
    """Write rows in the format of the extension: svm (svmlight, libsvm), csv,
    tsv, npy, npz, fvecs or safetensors. The texts svm, csv and tsv may be
    compressed: .csv.gz, .csv.zst. The file is there completely, or not.

    y : labels, one a row, or a list of them for each row
    columns : names of the columns; of a DataFrame its own
    """
    rows = _validate.check_rows(X, write, least=0)
    names = _validate.column_names(X) if columns is None else columns
    if names is not None:
        names = _names(names, rows.shape[1])
    with Context() as ctx:
        handle = _core.rows_of(ctx, rows, names)
        if y is not None:
            _set_labels(ctx, handle, y, rows.shape[0])
        ctx.check(ctx.run(lib.akin_rows_write, ctx.handle, handle,
                          _core.path_bytes(path)))


def _names(columns: Any, d: int) -> list[str]:
    """A name for each column."""
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise TypeError(f"columns is {columns!r} (expected a list of names)")
    names = [str(name) for name in columns]
    if len(names) != d:
        raise ValueError(f"{len(names)} names for {d} columns")
    return names


def _set_labels(ctx: Context, handle: Any, y: Any, n: int) -> None:
    if isinstance(y, str) or not hasattr(y, "__len__"):
        raise TypeError(f"y is {y!r} (expected a label for each row)")
    if len(y) != n:
        raise ValueError(f"{len(y)} labels for {n} rows")
    lists = [[] if one is None else
             list(one) if isinstance(one, (list, tuple, set, frozenset))
             else [one] for one in (y.tolist() if hasattr(y, "tolist") else y)]
    classes = sorted({label for found in lists for label in found},
                     key=lambda c: (str(type(c)), c))
    place = {label: k for k, label in enumerate(classes)}
    offsets = np.zeros(n + 1, dtype=np.int64)
    np.cumsum([len(found) for found in lists], out=offsets[1:])
    numbers = np.array([k for found in lists
                        for k in sorted(place[label] for label in found)],
                       dtype=np.int32)
    with _core.names_array(_core.label_names(classes)) as names:
        ctx.check(lib.akin_rows_set_label_lists(
            ctx.handle, handle, ffi.from_buffer("int64_t[]", offsets),
            ffi.from_buffer("int32_t[]", numbers), names, len(classes)))
