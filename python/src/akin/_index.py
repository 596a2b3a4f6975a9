"""Search among many rows by a model."""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from akin import _core, _memory, _validate
from akin._base import Learner, model_width
from akin._core import Context, call, ffi, lib, long_call, text

_COMPARE = {None: "AKIN_BY_DEFAULT", "dot": "AKIN_BY_DOT",
            "cosine": "AKIN_BY_COSINE", "distance": "AKIN_BY_DISTANCE"}
# Results that may be asked for where there are not as many rows.
_MOST_PADDED = 2**26
_WORDS = {"AKIN_BY_DOT": "dot", "AKIN_BY_COSINE": "cosine",
          "AKIN_BY_DISTANCE": "distance"}


def compare_of(by: str | None) -> int:
    """How the library calls a comparison."""
    if not isinstance(by, (str, type(None))) or by not in _COMPARE:
        raise ValueError(f"by is {by!r} (expected dot, cosine or distance)")
    return int(getattr(lib, _COMPARE[by]))


def model_for(ctx: Context, model: Any, rows: Any) -> Any:
    """The handle of a fitted estimator, or of a measure by name."""
    if isinstance(model, str):
        return call(ctx, lib.akin_model_builtin, "akin_model",
                    lib.akin_model_free, _core.encoded(model), rows)
    return model_of(model, "neither the name of a measure nor an")


def model_of(model: Any, what: str = "not an") -> Any:
    """The handle of a fitted estimator."""
    if not isinstance(model, Learner):
        hint = "; make an instance of the class and fit it" if isinstance(
            model, type) and issubclass(model, Learner) else ""
        raise TypeError(f"model is {what} estimator of akin: {model!r}{hint}")
    return model._model


class _Guard:
    """Many may search at the same time, one may change; who wants to change
    comes before new searches."""

    def __init__(self) -> None:
        self.turn = threading.Condition()
        self.readers = self.waiting = 0
        self.writing = False

    @contextmanager
    def reading(self, again: bool = False) -> Iterator[None]:
        """`again`: for a thread that works for one that reads already, and may
        stop waiting for it."""
        with self.turn:
            self.turn.wait_for(lambda: not self.writing and
                               (again or self.waiting == 0))
            self.readers += 1
        try:
            yield
        finally:
            with self.turn:
                self.readers -= 1
                self.turn.notify_all()

    @contextmanager
    def writing_alone(self) -> Iterator[None]:
        with self.turn:
            self.waiting += 1
            try:
                self.turn.wait_for(
                    lambda: not self.writing and self.readers == 0)
            finally:
                self.waiting -= 1
                self.turn.notify_all()
            self.writing = True
        try:
            yield
        finally:
            with self.turn:
                self.writing = False
                self.turn.notify_all()


def run_search(ctx: Context, function: Any, thing: Any, queries: Any,
               options: Any, n: int) -> tuple[Any, Any]:
    """(rows, scores) of a search, over memory of the library."""
    rows, scores = ffi.new("int64_t **"), ffi.new("double **")

    def work() -> int:
        status = int(function(rows, scores, ctx.handle, thing, queries,
                              options))
        if status == lib.AKIN_OK and ctx.cancelled:  # nobody takes them
            lib.akin_free(rows[0])
            lib.akin_free(scores[0])
        return status

    ctx.check(ctx.run(work))
    shape = n, int(options.top)
    return (_memory.taken(rows[0], shape, np.int64),
            _memory.taken(scores[0], shape, np.float64))


class Index:
    """Rows that are searched by a model, best first.

    X : rows as an array, a sparse matrix or a DataFrame
    model : a fitted estimator of akin, or the name of a measure without
        learning: "euclidean", "cosine", "tfidf" or "mahalanobis"
    ids : a whole number of 64 bits, with a sign or without, or a text for each
        row, all different; None: the numbers of the rows, from 0
    approximate : "none", or "hnsw" for a graph, which may miss a row
    links, effort : of the graph: neighbours of a row, candidates while it is
        built
    by : how rows are compared, "dot", "cosine" or "distance"; None: as the
        model compares
    prune : leave out columns of weight 0 (sparse rows, diagonal model)
    n_jobs : threads; None: as many as there are cores. Results do not depend
        on it.

    Sparse rows under a diagonal model go to an inverted index, others are kept
    as vectors of the learned space. Without "hnsw" results are those of
    comparing a query with every row. Threads may search one index at the same
    time; `add` and `remove` wait until they are done.

    >>> import numpy as np
    >>> index = Index(np.eye(3, dtype="float32"), ids=["a", "b", "c"])
    >>> scores, ids = index.search([[0.9, 0.1, 0.0]], k=2)
    >>> ids.tolist()
    [['a', 'b']]
    """

    def __init__(self, X: Any, model: Any = "euclidean", *, ids: Any = None,
                 approximate: str = "none", links: int = 16, effort: int = 200,
                 by: str | None = None, prune: bool = False,
                 n_jobs: int | None = None) -> None:
        rows = _validate.check_rows(X, self)
        self._begin(n_jobs)
        self._ids = self._numbers = None
        new = _as_ids(ids, rows.shape[0])
        with Context(n_jobs) as ctx:
            handle = _core.rows_of(ctx, rows)
            word = ffi.new("char[]", _core.encoded(str(approximate)))
            o = ffi.new("akin_index_options *", lib.akin_default_index)
            o.approximate = word
            o.links = _core.whole(links, "links", 2)
            o.effort = _core.whole(effort, "effort", 1)
            o.by, o.prune = compare_of(by), bool(prune)
            learned = model_for(ctx, model, handle)
            _validate.check_columns(learned, X, lib.AKIN_RIGHT)
            self._handle = long_call(
                ctx, lib.akin_index_build, "akin_index", lib.akin_index_free,
                learned, handle, o)
            self._set_ids(ctx, 0, new)

    def _begin(self, n_jobs: int | None) -> None:
        self.n_jobs = n_jobs
        self._guard = _Guard()
        self._present: tuple[tuple[int, int], Any] | None = None

    @classmethod
    def build(cls, X: Any, model: Any = "euclidean", **options: Any) -> Index:
        """The same as the constructor."""
        return cls(X, model, **options)

    # ---- what it has ----

    def __len__(self) -> int:
        """Rows that were not removed."""
        return int(lib.akin_index_present(self._handle))

    @property
    def kind(self) -> str:
        """"inverted", "dense" or "hnsw"."""
        return text(lib.akin_index_kind(self._handle))

    @property
    def by(self) -> str:
        """How rows are compared: "dot", "cosine" or "distance"."""
        by = lib.akin_index_compare(self._handle)
        return next(word for name, word in _WORDS.items()
                    if getattr(lib, name) == by)

    @property
    def dim(self) -> int:
        """Columns of a query."""
        return model_width(lib.akin_index_model(self._handle))

    @property
    def ids(self) -> NDArray[Any]:
        """The ids of all rows that were not removed, in the order in which they
        were added."""
        with self._guard.reading():
            return self._ids_now()

    def _ids_now(self) -> NDArray[Any]:
        rows = self._rows()
        return np.array(rows if self._ids is None else self._ids[rows])

    def __repr__(self) -> str:
        return f"<akin.Index: {len(self)} rows, {self.kind}, by {self.by}>"

    # ---- ids ----

    def _set_ids(self, ctx: Context, first: int, new: Any) -> None:
        """Ids of the rows from `first` on, which were added just now."""
        if new is None and self._ids is None:
            return
        if new is None:
            raise ValueError("the rows of this index have ids: give ids, too")
        if self._ids is None and first > 0:
            raise ValueError("the rows of this index have no ids")
        both = new if first == 0 else _joined(self._ids, new)
        with _core.names_array([str(i) for i in new]) as names:
            ctx.check(lib.akin_index_set_names(ctx.handle, self._handle, first,
                                               names, len(new)))
        self._ids = both
        self._numbers = None

    def _rows(self) -> Any:
        """The numbers of the rows that were not removed."""
        count = int(lib.akin_index_count(self._handle))
        if len(self) == count:
            return np.arange(count)
        # Rows never come back, so that these two numbers say which are there.
        state = count, len(self)
        if self._present is None or self._present[0] != state:
            self._present = state, np.array(
                [i for i in range(count)
                 if lib.akin_index_has(self._handle, i)], dtype=np.int64)
        return self._present[1]

    def _rows_by_id(self) -> dict[Any, int]:
        if self._numbers is None:
            rows = self._rows()
            self._numbers = dict(zip(self._ids[rows].tolist(), rows.tolist()))
        return self._numbers

    def _numbers_of(self, ids: Iterable[Any], name: str = "ids") -> Any:
        """Numbers of rows by their ids. KeyError: there is none of this id."""
        given = _listed(ids, name)
        if self._ids is None or self._ids.dtype.kind != "O":
            given = [_core.whole(i, "an id") for i in given]
        if self._ids is None:
            count = lib.akin_index_count(self._handle)
            for i in given:
                if not (0 <= i < count and lib.akin_index_has(self._handle, i)):
                    raise KeyError(i)
            return np.array(given, dtype=np.int64)
        if any(isinstance(i, list) for i in given):
            raise TypeError(f"{name} has lists in it (expected a list of ids)")
        known = self._rows_by_id()
        return np.array([known[i] for i in given], dtype=np.int64)

    def _ids_of(self, rows: Any) -> Any:
        if self._ids is None:
            return rows
        found = self._ids[rows]  # -1 takes the last one
        missing = rows < 0
        if missing.any():
            found[missing] = _MISSING[found.dtype.kind]
        return found

    # ---- changes ----

    def add(self, X: Any, ids: Any = None) -> Index:
        """Add rows; ids are needed where the others have some."""
        rows = _validate.check_rows(X, self)
        _validate.check_columns(lib.akin_index_model(self._handle), X,
                                lib.AKIN_RIGHT)
        new = _as_ids(ids, rows.shape[0])

        def work(ctx: Context, handle: Any) -> int:
            with self._guard.writing_alone():
                self._check_new(new)
                first = int(lib.akin_index_count(self._handle))
                status = int(lib.akin_index_add(ctx.handle, self._handle,
                                                handle))
                if status == lib.AKIN_OK:
                    self._set_ids(ctx, first, new)
                return status

        with Context(self.n_jobs) as ctx:
            handle = _core.rows_of(ctx, rows)
            ctx.check(ctx.run(work, ctx, handle))
        return self

    def _check_new(self, new: Any) -> None:
        """Whether rows of these ids can be added."""
        if (new is None) != (self._ids is None) and \
                lib.akin_index_count(self._handle) > 0:
            raise ValueError("either all rows have ids, or none")
        if new is not None and self._ids is not None:
            _joined(self._ids, new)
            old = self._rows_by_id()
            twice = [i for i in new.tolist() if i in old]
            if twice:
                raise ValueError(f"there is a row of the id {twice[0]!r}")

    def remove(self, ids: Iterable[Any]) -> Index:
        """Searches no longer find these rows, and other rows may get their ids.
        KeyError: there is no such id."""
        given = _listed(ids, "ids")

        def work(ctx: Context) -> int:
            with self._guard.writing_alone():
                rows = self._numbers_of(given)
                self._numbers = None
                return int(lib.akin_index_remove(
                    ctx.handle, self._handle,
                    ffi.from_buffer("int64_t[]", rows), len(rows)))

        with Context(self.n_jobs) as ctx:
            ctx.check(ctx.run(work, ctx))
        return self

    # ---- searches ----

    def search(self, Q: Any, k: int = 10, *, filter: Any = None,
               by: str | None = None, effort: int = 0,
               like: Sequence[Any] = (), unlike: Sequence[Any] = (),
               n_jobs: int | None = None
               ) -> tuple[NDArray[Any], NDArray[Any]]:
        """(scores, ids) of the k nearest rows of each query, both of shape
        (queries, k), best first: the higher a score, the more similar. Where
        fewer rows are found, the rest is NaN and -1 (None among texts,
        2**64 - 1 among ids without a sign, some of which are 2**63 or more).

        Q : queries; one row may have one dimension. None: one query, the mean
            of `like`
        filter : the ids that may be found, or one boolean for each row in the
            order of `ids`, or a function of an id
        by : "dot", "cosine" or "distance"; None: as the index compares
        effort : of "hnsw": candidates of a query; 0: chosen by k
        like, unlike : ids of rows that are, or are not, what is looked for

        >>> import numpy as np
        >>> index = Index(np.eye(3, dtype="float32"))
        >>> scores, ids = index.search([1, 0, 0], k=2, filter=[1, 2])
        >>> ids
        array([[1, 2]])
        """
        passing = None
        if callable(filter):  # it may itself use the index
            passing = {i for i in self.ids.tolist() if filter(i)}
        with self._guard.reading():  # rows and ids of one moment
            if passing is not None:
                filter = passing.intersection(self._ids_now().tolist())
            rows, scores = self._search(Q, k, filter, by, effort, like, unlike,
                                        n_jobs)
            return scores, self._ids_of(rows)

    def _search(self, Q: Any, k: int, filter: Any, by: str | None, effort: int,
                like: Sequence[Any], unlike: Sequence[Any],
                n_jobs: int | None) -> tuple[Any, Any]:
        """(numbers of rows, scores)."""
        k = _core.whole(k, "k", 1)
        queries = None if Q is None else self._queries(Q)
        n = 1 if queries is None else queries.shape[0]
        if k > len(self) and n * k > _MOST_PADDED:
            raise ValueError(f"k is {k} (the index has {len(self)} rows)")
        near = self._numbers_of(like, "like")
        far = self._numbers_of(unlike, "unlike")
        excluded = self._excluded(filter)
        with Context(self.n_jobs if n_jobs is None else n_jobs) as ctx:
            o = ffi.new("akin_search_options *", lib.akin_default_search)
            o.top, o.by, o.effort = k, compare_of(by), \
                _core.whole(effort, "effort", 0)
            o.like = ffi.from_buffer("int64_t[]", near)
            o.unlike = ffi.from_buffer("int64_t[]", far)
            o.n_like, o.n_unlike = len(near), len(far)
            if excluded is not None:
                o.exclude = ffi.from_buffer("unsigned char[]", excluded)
            handle = ffi.NULL if queries is None else \
                _core.rows_of(ctx, queries)
            ctx.kept.append((near, far, excluded))

            def search(*args: Any) -> int:
                with self._guard.reading(again=True):
                    return int(lib.akin_index_search(*args))

            return run_search(ctx, search, self._handle, handle, o, n)

    def _queries(self, Q: Any) -> Any:
        if not _core.is_sparse(Q) and not hasattr(Q, "columns"):
            Q = np.asarray(Q)
            Q = Q[None] if Q.ndim == 1 else Q
        _validate.check_columns(lib.akin_index_model(self._handle), Q,
                                lib.AKIN_LEFT)
        queries = _validate.check_rows(Q, self, "Q", least=0)
        _validate.check_width(queries, self, self.dim, "Q")
        return queries

    def _excluded(self, filter: Any) -> Any:
        """A byte for each row, 1 where it may not be found; None: all may."""
        if filter is None:
            return None
        array = np.asarray(filter) if not isinstance(filter, (set, frozenset)) \
            else None
        if array is not None and array.dtype == bool:
            if array.shape != (len(self),):
                raise ValueError(f"filter has the shape {array.shape} (expected "
                                 f"({len(self)},), one for each row)")
            allowed = self._rows()[array]
        else:
            allowed = self._numbers_of(filter, "filter")
        excluded = np.ones(lib.akin_index_count(self._handle), dtype=np.uint8)
        excluded[allowed] = 0
        return excluded

    def kneighbors(self, X: Any, n_neighbors: int = 5,
                   return_distance: bool = True) -> Any:
        """(distances, numbers of rows), as of scikit-learn's NearestNeighbors:
        the nearest first. Distances are Euclidean in the learned space, or 1
        minus the cosine, or minus the dot product, as the index compares."""
        with self._guard.reading():
            rows, scores = self._search(X, n_neighbors, None, None, 0, (), (),
                                        None)
        if not return_distance:
            return rows
        if self.by == "distance":
            return np.sqrt(np.maximum(-scores, 0.0)), rows
        return (1.0 - scores if self.by == "cosine" else -scores), rows

    # ---- files ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file, the same that `akin index` writes; ids are its names."""
        with Context() as ctx, self._guard.reading():
            ctx.check(lib.akin_index_save(ctx.handle, self._handle,
                                          _core.path_bytes(path)))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, ids: Any = None,
             n_jobs: int | None = None) -> Index:
        """An index of a file that `save` or `akin index` wrote. The file is
        mapped into memory, not read: it must not change meanwhile.

        ids : int or str: what the names of the rows are; None: numbers where
            all of them are whole numbers, else texts
        """
        with Context(n_jobs) as ctx:
            handle = call(ctx, lib.akin_index_load, "akin_index",
                          lib.akin_index_free, _core.path_bytes(path))
        return cls._of(handle, ids, n_jobs)

    @classmethod
    def _of(cls, handle: Any, ids: Any, n_jobs: int | None) -> Index:
        made = cls.__new__(cls)
        made._begin(n_jobs)
        made._handle = handle
        made._ids = _names_of(handle, ids)
        made._numbers = None
        return made

    def __getstate__(self) -> dict[str, Any]:
        with self._guard.reading():
            return {"index": _memory.file_in_memory(lib.akin_index_save_memory,
                                             self._handle),
                    "ids": self._ids, "n_jobs": self.n_jobs}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._begin(state["n_jobs"])
        self._ids, self._numbers = state["ids"], None
        data = state["index"]
        with Context() as ctx:
            self._handle = call(ctx, lib.akin_index_load_memory, "akin_index",
                                lib.akin_index_free,
                                ffi.from_buffer("uint8_t[]", data), len(data))

    _handle: Any
    _ids: Any
    _numbers: dict[Any, int] | None


def _listed(ids: Any, name: str) -> list[Any]:
    """Ids as a list. A text is one id, not many of one character."""
    given = ids.tolist() if hasattr(ids, "tolist") else ids
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{name} is {given!r} (expected a list of ids)")
    return list(given)


def _as_ids(ids: Any, n: int) -> Any:
    """Ids as an array of 64-bit numbers or of texts."""
    if ids is None:
        return None
    given = _listed(ids, "ids")
    if len(given) != n:
        raise ValueError(f"{len(given)} ids for {n} rows")
    if not all(isinstance(i, (str, int, np.integer)) for i in given):
        raise TypeError("ids are whole numbers, or texts")
    if len(set(given)) != n:
        raise ValueError("ids are not all different")
    if all(isinstance(i, str) for i in given):
        if any(i == "" or "\n" in i for i in given):
            raise ValueError("an id is empty or has a line feed")
        for i in given:
            _core.encoded(i)
        return np.array(given, dtype=object)
    if all(isinstance(i, (int, np.integer)) and not isinstance(i, bool)
           for i in given):
        return _of_64_bits([int(i) for i in given])
    raise TypeError("ids are whole numbers, or texts")


# What stands for a row that was not found, by the kind of the ids.
_MISSING: dict[str, Any] = {"i": -1, "u": 2**64 - 1, "O": None}


def _of_64_bits(ids: list[int]) -> Any:
    """Whole numbers of 64 bits: int64, or uint64 where it takes that."""
    least, most = min(ids, default=0), max(ids, default=0)
    if -2**63 <= least and most < 2**63:
        return np.array(ids, dtype=np.int64)
    if 0 <= least and most < 2**64:
        return np.array(ids, dtype=np.uint64)
    raise OverflowError("ids are beyond 64 bits, or some are below 0 and some "
                        "2**63 or more")


def _joined(old: Any, new: Any) -> Any:
    """Ids of rows, and of those that are added to them."""
    if (old.dtype.kind == "O") != (new.dtype.kind == "O"):
        raise TypeError("ids are numbers, or texts, not both")
    if old.dtype == new.dtype:
        return np.concatenate([old, new])
    return _of_64_bits([*old.tolist(), *new.tolist()])


def _names_of(handle: Any, kind: Callable[[str], Any] | None) -> Any:
    """The names of the rows as ids."""
    if not lib.akin_index_has_names(handle):
        return None
    names = [text(lib.akin_index_name(handle, i))
             for i in range(lib.akin_index_count(handle))]
    if kind is not str and all(_is_number(s) for s in names):
        numbers = [int(s) for s in names]
        if max(numbers, default=0) < 2**63 or min(numbers) >= 0:
            return _of_64_bits(numbers)
    if kind is int:
        raise ValueError("the names of the rows are not all whole numbers")
    return np.array(names, dtype=object)


def _is_number(s: str) -> bool:
    digits = s[1:] if s.startswith("-") else s
    return digits.isascii() and digits.isdigit() and str(int(s)) == s and \
        -2**63 <= int(s) < 2**64
