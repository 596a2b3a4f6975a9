"""How good rankings are: mean average precision, precision at k, r-precision.

`retrieval` ranks by a model. The others take rankings: for each query one
boolean (or 0 and 1) for each row in the order of the ranking, best first, true
where the row is relevant.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from akin import _core, _validate
from akin._core import Context, call, ffi, lib
from akin._index import compare_of, model_for

__all__ = ["Retrieval", "average_precision", "mean_average_precision",
           "precision_at_k", "r_precision", "relevance", "retrieval"]


def _rankings(relevant: Any) -> Any:
    array = np.asarray(relevant)
    array = array[None] if array.ndim == 1 else array
    if array.ndim != 2:
        raise ValueError(f"relevant has {array.ndim} dimensions (expected 1 or "
                         "2)")
    if array.dtype.kind in "USV" or not np.isin(array, (0, 1)).all():
        raise ValueError("relevant has other values than booleans, 0 and 1")
    return array == 1


def _totals(rankings: Any, n_relevant: Any) -> Any:
    found = rankings.sum(axis=1)
    if n_relevant is None:
        return found
    totals = np.asarray(n_relevant)
    if totals.dtype.kind not in "iu":
        raise ValueError("n_relevant must be whole numbers")
    if totals.shape not in ((), found.shape):
        raise ValueError(f"n_relevant has the shape {totals.shape} (expected "
                         f"one number, or {len(found)}, one for each query)")
    totals = np.broadcast_to(totals, found.shape)
    few = np.flatnonzero(totals < found)
    if len(few):
        raise ValueError(f"n_relevant of query {few[0]} is {totals[few[0]]}, "
                         f"but its ranking has {found[few[0]]} relevant rows")
    return totals


def relevance(ids: Any, wanted: Any) -> Any:
    """Rankings as booleans: where the ids that a search found are among the
    wanted ones, a list for each query.

    >>> relevance([[3, 1, 2]], [[1, 2]])
    array([[False,  True,  True]])
    """
    found = np.asarray(ids)
    return np.array([[i in set(want) for i in row]
                     for row, want in zip(found.tolist(), wanted)], dtype=bool)


def average_precision(relevant: Any, n_relevant: Any = None) -> Any:
    """The average precision of each query: the mean, over its relevant rows, of
    the precision at their ranks. n_relevant: how many there are in all, where
    rankings are cut short. NaN: nothing is relevant.

    >>> average_precision([True, False, True])
    array([0.83333333])
    """
    rankings = _rankings(relevant)
    totals = _totals(rankings, n_relevant)
    out = np.empty(len(rankings))
    for i, ranking in enumerate(rankings):
        ranks = np.flatnonzero(ranking).astype(np.int64) + 1
        out[i] = lib.akin_average_precision(
            ffi.from_buffer("int64_t[]", ranks), len(ranks), int(totals[i]), 0)
    return out


def mean_average_precision(relevant: Any, n_relevant: Any = None) -> float:
    """The mean of `average_precision` over queries that have an answer."""
    each = average_precision(relevant, n_relevant)
    return float(np.nanmean(each)) if np.isfinite(each).any() else float("nan")


def precision_at_k(relevant: Any, k: int) -> float:
    """The share of relevant rows among the first k, over all queries.

    >>> precision_at_k([[True, False, True], [False, True, True]], 2)
    0.5
    """
    k = _core.whole(k, "k", 1)
    return float(np.mean(_rankings(relevant)[:, :k].sum(axis=1) / k))


def r_precision(relevant: Any, n_relevant: Any = None) -> float:
    """The precision at as many rows as are relevant, over queries that have an
    answer.

    >>> r_precision([[True, False, True, False]])
    0.5
    """
    rankings = _rankings(relevant)
    totals = _totals(rankings, n_relevant)
    each = [ranking[:r].sum() / r for ranking, r in zip(rankings, totals)
            if r > 0]
    return float(np.mean(each)) if each else float("nan")


class Retrieval(NamedTuple):
    """What `retrieval` measures."""
    map: float
    precision_at: dict[int, float]
    average_precision: Any
    queries: int
    skipped: int


def retrieval(model: Any, X: Any, y: Any, Q: Any = None, y_query: Any = None, *,
              by: str | None = None, n_jobs: int | None = None) -> Retrieval:
    """How well a model ranks rows of the same label first. Every row queries all
    others, or rows Q with labels y_query query all rows.

    model : a fitted estimator, or the name of a measure without learning

    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [1.0], [1.1]], dtype="float32")
    >>> retrieval("euclidean", X, [0, 0, 1, 1]).map
    1.0
    """
    rows = _validate.check_rows(X, retrieval)
    labels = [np.asarray(y)]
    asked = None
    if Q is not None:
        asked = _validate.check_rows(Q, retrieval, "Q")
        labels.append(np.asarray(y_query))
    for part, have in zip(labels, (rows, asked)):
        if have is not None and part.shape != (have.shape[0],):
            raise ValueError(f"labels have the shape {part.shape} (expected "
                             f"({have.shape[0]},))")
    classes, codes = np.unique(np.concatenate(labels), return_inverse=True)
    with Context(n_jobs) as ctx:
        raw = _core.rows_of(ctx, rows)
        _core.labels_of(ctx, raw, codes[:rows.shape[0]], classes)
        handle = model_for(ctx, model, raw)
        _validate.check_columns(handle, X, lib.AKIN_RIGHT)
        _validate.check_columns(handle, Q, lib.AKIN_LEFT)
        o = ffi.new("akin_retrieval_options *", lib.akin_default_retrieval)
        o.by = compare_of(by)
        n = rows.shape[0]
        if asked is not None:
            queries = _core.rows_of(ctx, asked)
            _core.labels_of(ctx, queries, codes[rows.shape[0]:], classes)
            o.queries = _prepared(ctx, handle, queries, lib.AKIN_LEFT)
            n = asked.shape[0]
        each = np.empty(n)
        out = ffi.new("akin_retrieval *")
        ctx.kept.append(each)
        ctx.check(ctx.run(lib.akin_eval_retrieval, out,
                          ffi.from_buffer("double[]", each), ctx.handle, handle,
                          _prepared(ctx, handle, raw, lib.AKIN_RIGHT), o))
    cuts = {int(lib.akin_precision_cut(i)): out.precision_at[i]
            for i in range(lib.AKIN_PRECISIONS)}
    return Retrieval(out.map, cuts, each, out.queries, out.skipped)


def _prepared(ctx: Context, model: Any, rows: Any, side: int) -> Any:
    return call(ctx, lib.akin_model_prepare, "akin_rows", lib.akin_rows_free,
                model, rows, side)
