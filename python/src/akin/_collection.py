"""Things with names, made searchable: a folder of items, their features, an
index, what people said, and versions of a model that learns from it."""
from __future__ import annotations

import json
import operator
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from akin import _core, _validate
from akin._core import Context, call, ffi, lib, long_call, text
from akin._index import compare_of, model_of, run_search
from akin._io import labels_in
from akin._naming import caption_lines
from akin._results import optional


class Item(NamedTuple):
    """An item of a collection."""
    id: int
    name: str
    labels: list[str]
    path: str | None
    snippet: str | None


class Hit(NamedTuple):
    """An item that was found."""
    name: str
    score: float
    id: int
    labels: list[str]


class Version(NamedTuple):
    """A version of the model of a collection."""
    version: int
    events: int
    held_out: float
    baseline: float
    queries: int
    verdict: str
    learner: str
    in_use: bool
    user: str


def _version(v: Any) -> Version:
    return Version(v.version, v.events, v.held_out, v.baseline, v.queries,
                   text(v.verdict), text(v.learner), bool(v.in_use),
                   text(v.user))


def _options(ctx: Context, kind: str, default: Any, given: dict[str, Any]) -> Any:
    """An options struct with what is given: texts, paths and numbers."""
    o = ffi.new(kind + " *", default)
    for name, value in given.items():
        if value is None:
            continue
        if isinstance(value, (str, os.PathLike)):
            value = ffi.new("char[]", _core.path_bytes(value))
            ctx.kept.append(value)
        setattr(o, name, value)
    return o


def _make(function: Any, kind: str, default: Any, info: str, path: Any,
          source: Any, given: dict[str, Any], n_jobs: int | None) -> None:
    with Context(n_jobs) as ctx:
        o = _options(ctx, kind, default, given)
        source = _core.path_bytes(source) if isinstance(
            source, (str, os.PathLike)) else source
        ctx.kept.append(o)
        ctx.check(ctx.run(function, ctx.handle, _core.path_bytes(path),
                          ffi.NULL if source is None else source, o,
                          ffi.new(info + " *")))


class Collection:
    """A collection of images, documents, faces or vectors, in a folder.

    path : the folder of one that exists; `images`, `documents`, `faces` and
        `vectors` make one, as `akin images` and the other commands do

    It is opened as it is at that moment; `refresh` goes on to how it is now,
    and so do all methods that change it. One thread works with it at a time,
    others wait.

    >>> import os, tempfile
    >>> import numpy as np
    >>> path = os.path.join(tempfile.mkdtemp(), "letters.akin")
    >>> letters = Collection.vectors(path, np.eye(3), names=["a", "b", "c"])
    >>> [hit.name for hit in letters.search([0.9, 0.2, 0.0], k=2)]
    ['a', 'b']
    """

    def __init__(self, path: str | os.PathLike[str], *,
                 n_jobs: int | None = None) -> None:
        self.path = os.fspath(path)
        self.n_jobs = n_jobs
        self._lock = threading.RLock()
        self._handle: Any = None
        self._ctx = Context(n_jobs)
        self._handle = call(self._ctx, lib.akin_collection_open,
                            "akin_collection", lib.akin_collection_close,
                            _core.path_bytes(path))
        self._ctx.kept.clear()

    # ---- making ----

    @classmethod
    def images(cls, path: str | os.PathLike[str],
               folder: str | os.PathLike[str], *, labels: Any = None,
               label_column: str | None = None, words: int = 0,
               colours: str = "none", side: int = 640, codebook: Any = None,
               force: bool = False, n_jobs: int | None = None) -> Collection:
        """Make one of the pictures below a folder."""
        _make(lib.akin_images_make, "akin_images_options",
              lib.akin_default_images, "akin_items_info", path, folder,
              {"labels": labels, "label_column": label_column, "words": words,
               "colours": colours, "side": side, "codebook": codebook,
               "force": force}, n_jobs)
        return cls(path, n_jobs=n_jobs)

    @classmethod
    def documents(cls, path: str | os.PathLike[str],
                  source: str | os.PathLike[str], *,
                  stop_words: str = "english", min_length: int = 2,
                  max_length: int = 40, text_column: str | None = None,
                  label_column: str | None = None,
                  name_column: str | None = None, labels: Any = None,
                  force: bool = False,
                  n_jobs: int | None = None) -> Collection:
        """Make one of the files of a folder, or of the records of a csv or JSON
        lines file."""
        _make(lib.akin_documents_make, "akin_documents_options",
              lib.akin_default_documents, "akin_items_info", path, source,
              {"stop_words": stop_words, "min_length": min_length,
               "max_length": max_length, "text_column": text_column,
               "label_column": label_column, "name_column": name_column,
               "labels": labels, "force": force}, n_jobs)
        return cls(path, n_jobs=n_jobs)

    @classmethod
    def vectors(cls, path: str | os.PathLike[str], X: Any, *, y: Any = None,
                names: Sequence[str] | None = None, force: bool = False,
                n_jobs: int | None = None) -> Collection:
        """Make one of rows, with labels and names."""
        with Context(n_jobs) as ctx:
            _vectors(ctx, lib.akin_vectors_make, path, X, y, names, force)
        return cls(path, n_jobs=n_jobs)

    @classmethod
    def faces(cls, path: str | os.PathLike[str], source: Any, *,
              captions: Any = None, boxes: Any = None, detector: str = "hog",
              descriptor: str = "resnet", force: bool = False,
              n_jobs: int | None = None) -> Collection:
        """Make one of the faces in the pictures below a folder; or of rows, one
        for each face, with captions as for `akin.name_faces`."""
        given = {"boxes": boxes, "detector": detector, "descriptor": descriptor,
                 "force": force, "captions": captions}
        if isinstance(source, (str, os.PathLike)):
            _make(lib.akin_faces_make, "akin_faces_options",
                  lib.akin_default_faces, "akin_faces_info", path, source,
                  given, n_jobs)
            return cls(path, n_jobs=n_jobs)
        rows = _validate.check_rows(source, cls)
        import tempfile
        with Context(n_jobs) as ctx, tempfile.TemporaryDirectory() as folder:
            if captions is not None and not isinstance(captions,
                                                       (str, os.PathLike)):
                given["captions"] = os.path.join(folder, "captions.jsonl")
                with open(given["captions"], "w", encoding="utf-8") as f:
                    f.write(caption_lines(captions))
            o = _options(ctx, "akin_faces_options", lib.akin_default_faces,
                         given)
            ctx.check(ctx.run(lib.akin_faces_import, ctx.handle,
                              _core.path_bytes(path), _core.rows_of(ctx, rows),
                              o, ffi.new("akin_faces_info *")))
        return cls(path, n_jobs=n_jobs)

    def add(self, source: Any = None, *, y: Any = None,
            names: Sequence[str] | None = None, labels: Any = None,
            prune: bool = False) -> Collection:
        """Add pictures, documents or rows, with the settings of the
        collection; prune: remove items whose source is gone."""
        kind = self.kind
        if kind == "vectors":
            with Context(self.n_jobs) as ctx:
                _vectors(ctx, lib.akin_vectors_add, self.path, source, y, names,
                         False)
        elif kind in ("images", "documents"):
            _make(getattr(lib, f"akin_{kind}_add"), f"akin_{kind}_options",
                  getattr(lib, f"akin_default_{kind}"), "akin_items_info",
                  self.path, source, {"labels": labels, "prune": prune},
                  self.n_jobs)
        else:
            _make(lib.akin_faces_add, "akin_faces_options",
                  lib.akin_default_faces, "akin_faces_info", self.path, source,
                  {}, self.n_jobs)
        return self.refresh()

    def remove(self, names: Iterable[str] = (),
               where: str | None = None) -> int:
        """Remove items by name, and those that a condition is true of; returns
        how many. ValueError: a name is not there."""
        listed = list(names)
        removed = ffi.new("int64_t *")
        with Context(self.n_jobs) as ctx, _core.names_array(listed) as array:
            ctx.check(ctx.run(
                lib.akin_collection_remove, removed, ctx.handle,
                _core.path_bytes(self.path), array, len(listed),
                ffi.NULL if where is None else _core.encoded(where)))
        self.refresh()
        return int(removed[0])

    # ---- reading ----

    def refresh(self) -> Collection:
        """Go on to how it is now."""
        with self._lock:
            self._check(lib.akin_collection_refresh(self._ctx.handle,
                                                    self._open()))
        return self

    def close(self) -> None:
        """Let go of its files."""
        with self._lock:
            if self._handle is not None:
                ffi.release(self._handle)
                self._handle = None
                self._ctx.close()

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> Any:
        if self._handle is None:
            raise ValueError("the collection is closed")
        return self._handle

    def _check(self, status: int) -> None:
        self._ctx.check(status)

    def __len__(self) -> int:
        return int(lib.akin_collection_count(self._open()))

    def __repr__(self) -> str:
        return f"<akin.Collection: {len(self)} {self.kind} in {self.path!r}>"

    @property
    def kind(self) -> str:
        """"images", "documents", "vectors" or "faces"."""
        return text(lib.akin_collection_kind(self._open()))

    @property
    def dim(self) -> int:
        """Columns of the rows of its items."""
        return int(lib.akin_collection_dim(self._open()))

    @property
    def version(self) -> int:
        """The version of the model that it is searched by; 0: without
        learning."""
        return int(lib.akin_collection_version(self._open()))

    def item(self, name: str | int) -> Item:
        """An item by its name, path or id."""
        with self._lock:
            return self._item(self._row(name))

    def __iter__(self) -> Iterator[Item]:
        for row in range(len(self)):
            with self._lock:
                yield self._item(row)

    def _item(self, row: int) -> Item:
        out = ffi.new("akin_item *")
        self._check(lib.akin_collection_item(out, self._ctx.handle,
                                             self._open(), row))
        labels = text(out.labels)
        return Item(out.id, text(out.name), labels.split("\n") if labels else [],
                    optional(out.path), optional(out.snippet))

    def _row(self, name: str | int | np.integer[Any]) -> int:
        row = ffi.new("int64_t *")
        if isinstance(name, str):
            self._check(lib.akin_collection_find(
                row, self._ctx.handle, self._open(), _core.path_bytes(name)))
        else:
            self._check(lib.akin_collection_row_of(
                row, self._ctx.handle, self._open(),
                _core.whole(name, "an id")))
        return int(row[0])

    def rows(self, features: str | None = None) -> tuple[Any, Any]:
        """(X, y): all items as rows, and their labels."""
        with self._lock, Context(self.n_jobs) as ctx:
            made = long_call(ctx, lib.akin_collection_rows, "akin_rows",
                             lib.akin_rows_free, self._open(),
                             ffi.NULL if features is None
                             else _core.encoded(features), ffi.NULL)
            return _core.to_array(made), labels_in(made)

    def describe(self, *, files: Sequence[Any] = (),
                 texts: Sequence[str] = ()) -> Any:
        """Pictures or documents of files, or texts, as rows."""
        with self._lock, Context(self.n_jobs) as ctx:
            return _core.to_array(self._described(ctx, files, texts))

    def _described(self, ctx: Context, files: Sequence[Any],
                   texts: Sequence[str]) -> Any:
        if texts:
            with _core.names_array(texts) as array:
                return long_call(ctx, lib.akin_collection_describe_text,
                                 "akin_rows", lib.akin_rows_free, self._open(),
                                 array, ffi.NULL, len(texts))
        with _core.names_array([os.fspath(f) for f in files]) as array:
            return long_call(ctx, lib.akin_collection_describe, "akin_rows",
                             lib.akin_rows_free, self._open(), array,
                             len(files))

    # ---- searches ----

    def search(self, query: Any = None, k: int = 10, *,
               text: str | None = None, file: Any = None,
               like: Sequence[str | int] = (),
               unlike: Sequence[str | int] = (), where: str | None = None,
               feedback: str | None = None, user: str | None = None,
               by: str | None = None) -> list[Hit]:
        """The k items most similar to a query, best first.

        query : the name or id of an item; or a row, of one or two dimensions
        text, file : in place of it: a text, or a file with a document or a
            picture
        like, unlike : names or ids of items that are, or are not, what is
            looked for
        where : a condition on labels and fields, as `akin search --where`
        feedback : how examples and events count: "auto", "none", "mean",
            "learn" or "expand"
        user : who searches
        """
        with self._lock, Context(self.n_jobs) as ctx:
            near = [self._row(name) for name in like]
            if isinstance(query, (str, int, np.integer)):
                near.insert(0, self._row(query))
                query = None
            rows = self._query(ctx, query, text, file)
            o = _options(ctx, "akin_find_options", lib.akin_default_find,
                         {"top": k, "by": compare_of(by), "where": where,
                          "feedback": feedback, "user": user})
            for name, numbers in (("like", near), (
                    "unlike", [self._row(name) for name in unlike])):
                array = ffi.new("int64_t[]", numbers)
                ctx.kept.append(array)
                setattr(o, name, array)
                setattr(o, "n_" + name, len(numbers))
            found, scores = run_search(ctx, lib.akin_collection_search,
                                       self._open(), rows, o, 1)
            return [self._hit(int(row), float(score))
                    for row, score in zip(found[0], scores[0]) if row >= 0]

    def _query(self, ctx: Context, query: Any, said: str | None,
               file: Any) -> Any:
        if sum(x is not None for x in (query, said, file)) > 1:
            raise ValueError("query, text and file: one of them at most")
        if said is not None:
            return self._described(ctx, (), [said])
        if file is not None:
            return self._described(ctx, [file], ())
        if query is None:
            return ffi.NULL
        if not _core.is_sparse(query):
            query = np.asarray(query)
            query = query[None] if query.ndim == 1 else query
        rows = _validate.check_rows(query, self, "query")
        if rows.shape[0] != 1:
            raise ValueError(f"query has {rows.shape[0]} rows (expected 1)")
        return _core.rows_of(ctx, rows)

    def _hit(self, row: int, score: float) -> Hit:
        item = self._item(row)
        return Hit(item.name, score, item.id, item.labels)

    # ---- what people say, and learning from it ----

    def feedback(self, query: str | int, *, good: Sequence[str | int] = (),
                 bad: Sequence[str | int] = (),
                 shown: Sequence[str | int] = (),
                 clicked: Sequence[str | int] = (), user: str | None = None,
                 key: str | None = None) -> int:
        """Store what was said of answers to a query; items are names or ids.
        It is on the disk when the call returns. Returns its number; an event
        whose key is there already changes nothing."""
        event: dict[str, Any] = {"query": query}
        for name, value in (("good", good), ("bad", bad), ("shown", shown),
                            ("clicked", clicked)):
            if len(value) > 0:
                event[name] = list(value)
        for name, said in (("user", user), ("key", key)):
            if said is not None:
                event[name] = said
        line = json.dumps(event, default=operator.index).encode()
        number = ffi.new("int64_t *")
        with self._lock, Context(self.n_jobs) as ctx:
            events = call(ctx, lib.akin_events_open, "akin_events",
                          lib.akin_events_close, _core.path_bytes(self.path))
            ctx.check(lib.akin_events_add_json(number, ctx.handle, events, line,
                                               len(line)))
        return int(number[0])

    def learn(self, learner: str | None = None,
              user: str | None = None) -> Version:
        """Learn from all that was said and from labels. The new version is used
        from now on if it is better on held-out queries."""
        out = ffi.new("akin_version_info *")
        word = ffi.NULL if learner is None else _core.encoded(learner)
        with Context(self.n_jobs) as ctx:
            args = [out, ctx.handle, _core.path_bytes(self.path), word]
            if user is None:
                ctx.check(ctx.run(lib.akin_collection_learn, *args))
            else:
                ctx.check(ctx.run(lib.akin_collection_learn_user, *args,
                                  _core.encoded(user)))
        self.refresh()
        return _version(out)

    def versions(self) -> list[Version]:
        """All versions, the oldest first."""
        out, n = ffi.new("akin_version_info **"), ffi.new("int64_t *")
        with Context(self.n_jobs) as ctx:
            ctx.check(lib.akin_collection_versions(
                out, n, ctx.handle, _core.path_bytes(self.path)))
        try:
            return [_version(out[0][i]) for i in range(n[0])]
        finally:
            lib.akin_free(out[0])

    def rollback(self, version: int) -> Collection:
        """Use a version from now on; 0: the measure without learning."""
        with Context(self.n_jobs) as ctx:
            ctx.check(lib.akin_collection_rollback(
                ctx.handle, _core.path_bytes(self.path), version))
        return self.refresh()

    def set_model(self, model: Any) -> Collection:
        """Search by a fitted estimator from now on, as a new version."""
        handle = model_of(model)
        with Context(self.n_jobs) as ctx:
            ctx.check(ctx.run(lib.akin_collection_set_model, ctx.handle,
                              _core.path_bytes(self.path), handle))
        return self.refresh()


def _vectors(ctx: Context, function: Any, path: Any, X: Any, y: Any,
             names: Sequence[str] | None, force: bool) -> None:
    rows = _validate.check_rows(X, Collection)
    handle = _core.rows_of(ctx, rows)
    if y is not None:
        classes, codes = np.unique(_validate.check_labels(y, rows.shape[0]),
                                   return_inverse=True)
        _core.labels_of(ctx, handle, codes, classes)
    if names is not None and len(names) != rows.shape[0]:
        raise ValueError(f"{len(names)} names for {rows.shape[0]} rows")
    o = ffi.new("akin_vectors_options *", lib.akin_default_vectors)
    o.force = force
    with _core.names_array(names or ()) as array:
        if names is not None:
            o.name_list = array
        ctx.kept.append((o, array))
        ctx.check(ctx.run(function, ctx.handle, _core.path_bytes(path), handle,
                          o, ffi.new("akin_items_info *")))
