"""What a learner can do. A class derives from what is true of its learner:
FromLabels, FromPairs, FromTriplets and FromCaptions say what it learns from,
Online adds `partial_fit`, Comparer scores and transforms rows, Ranker gives
labels.
"""
from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from akin import _core, _validate
from akin._base import Learner, model_labels, model_width, shape_of
from akin._comparer import Comparer, matches
from akin._core import Context, call, ffi, lib, text
from akin._run import Run

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Comparer", "FromCaptions", "FromLabels", "FromPairs",
           "FromTriplets", "Learner", "Online", "Ranker"]


class FromLabels(Learner):
    """Learns from the labels of rows."""

    _estimator_type = "classifier"
    _needs_y: ClassVar[bool] = True

    def _labels(self, y: Any, n: int) -> Any:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, "
                             "but the target y is None")
        self._voting()
        return _validate.check_labels(y, n)

    def _voting(self) -> int:
        """How many rows vote."""
        return _core.whole(self.n_neighbors, "n_neighbors", 1)

    def predict(self, X: Any, side: str = "left") -> NDArray[Any]:
        """The label of each row, by the vote of its nearest rows among those
        that were fitted; of tuples, +1 or -1.

        With two kinds of rows, those of one side get the labels of the other:
        `side` is the side of X.
        """
        model = self._model
        tuples = self._tuples(X)
        if tuples is not None or self._fitted.kind in ("pairs", "triplets"):
            return np.asarray(self._predict_tuples(X))
        fitted = self._fitted
        if side not in fitted.voters:
            raise ValueError("there are no labelled rows to vote: the "
                             f"{type(self).__name__} was fitted without them")
        neighbours = self._voting()
        rows = self._side_rows(X, side)
        with self._context() as ctx:
            model, voters = self._voters(ctx, side)
            queries = call(ctx, lib.akin_model_prepare, "akin_rows",
                           lib.akin_rows_free, model, _core.rows_of(ctx, rows),
                           lib.AKIN_LEFT)
            labels = np.empty(rows.shape[0], dtype=np.int32)
            scores = np.empty(rows.shape[0])
            ctx.check(ctx.run(
                lib.akin_predict, ffi.from_buffer("int32_t[]", labels),
                ffi.from_buffer("double[]", scores), ctx.handle, model,
                queries, voters, neighbours, 1,
                lib.AKIN_BY_DEFAULT))
        return np.asarray(self.classes_[labels])

    def _side_rows(self, X: Any, side: str) -> Any:
        X = self._looked_up(X)
        if side == "left":
            return self._rows(X)
        if side != "right":
            raise ValueError(f"side={side!r}: expected left or right")
        _validate.check_columns(self._model, X, lib.AKIN_RIGHT)
        return _validate.check_rows(X, self)

    def _voters(self, ctx: Context, side: str) -> tuple[Any, Any]:
        """The model with the side of the queries on the left, and the rows
        that vote on its right. Made once."""
        fitted = self._fitted
        if side not in fitted.prepared:
            model = fitted.model
            if side == "right":
                model = call(ctx, lib.akin_model_turn, "akin_model",
                             lib.akin_model_free, model)
            rows, codes = fitted.voters[side]
            raw = _core.rows_of(ctx, rows)
            _core.labels_of(ctx, raw, codes, self.classes_)
            voters = call(ctx, lib.akin_model_prepare, "akin_rows",
                          lib.akin_rows_free, model, raw, lib.AKIN_RIGHT)
            fitted.prepared[side] = model, voters
        model, voters = fitted.prepared[side]
        return model, voters

    def _predict_tuples(self, X: Any) -> Any:
        raise ValueError(f"{type(self).__name__} has no prediction for tuples")

    def score(self, X: Any, y: Any = None) -> float:
        """The share of rows whose label is predicted right; of pairs, the area
        under the ROC curve; of triplets, the share in the right order."""
        if self._tuples(X) is not None:
            return self._score_tuples(X, y)
        predicted = self.predict(X)
        y = _validate.check_labels(y, len(predicted))
        return float(np.mean(predicted == y))

    def _score_tuples(self, X: Any, y: Any) -> float:
        raise ValueError(f"{type(self).__name__} has no score for tuples")


class FromPairs(Learner):
    """Learns from pairs of rows that match or do not."""

    def fit_pairs(self, X: Any, pairs: Any, y: Any,
                  right: Any = None) -> Self:
        """Learn from pairs of rows.

        X : rows, (n, d)
        pairs : the numbers of the two rows of each pair, (m, 2)
        y : above 0 where the two match, else they do not
        right : rows of another kind that the second number refers to
        """
        rows = self._rows(X, reset=True)
        ij = _validate.check_examples(pairs, 2, "pairs")
        match = matches(y, len(ij))
        return self._fit(rows, None, "pairs", np.column_stack(
            [ij, np.where(match, 1, -1)]), right)

    def _fit_rows_of_two_kinds(self, X: Any, Y: Any) -> Self:
        """Row i of Y belongs to row i of X, as in scikit-learn's CCA."""
        rows = self._rows(X, reset=True)
        n = rows.shape[0]
        if shape_of(Y)[0] != n:
            raise ValueError("Found input variables with inconsistent numbers "
                             f"of samples: {[n, shape_of(Y)[0]]}")
        return self._fit(rows, None, "pairs", np.column_stack(
            [np.arange(n), np.arange(n), np.ones(n, dtype=np.int64)]), Y)

    def fit_quadruplets(self, X: Any, quadruplets: Any) -> Self:
        """Learn from quadruplets (a, b, c, d): a and b are more similar than c
        and d. Where a is c in all of them and the learner takes triplets, they
        are the triplets (a, b, d); else a and b are a pair that matches, c and
        d one that does not."""
        q = _validate.check_examples(quadruplets, 4, "quadruplets")
        if np.array_equal(q[:, 0], q[:, 2]) and isinstance(self, FromTriplets):
            self.fit_triplets(X, q[:, [0, 1, 3]])
        else:
            self.fit_pairs(X, np.concatenate([q[:, :2], q[:, 2:]]),
                           np.repeat([1, -1], len(q)))
        return self

    def _fit_tuples(self, X: Any, examples: Any, y: Any) -> Self:
        width = examples.shape[1]
        if width == 2:
            self.fit_pairs(X, examples, y)
            self._calibrated(X, examples, y)
        elif width == 4:
            self.fit_quadruplets(X, examples)
        elif width == 3 and isinstance(self, FromTriplets):
            self.fit_triplets(X, examples)
        else:
            raise ValueError(f"{type(self).__name__} does not learn from "
                             f"tuples of {width} rows")
        self.classes_ = np.array([-1, 1])  # what `predict` says of tuples
        return self

    def _doubt(self, X: Any, y: Any) -> None:
        if y is None or _core.is_sparse(X) or hasattr(X, "columns"):
            return
        X = np.asarray(X)
        if self.preprocessor is None and X.dtype.kind in "iu" and \
                X.shape[1] == 2 and y.dtype.kind in "if" and \
                np.array_equal(np.unique(y), [-1, 1]):
            warnings.warn(
                "X is taken as rows of two columns, and y as their labels. If "
                "X has pairs of row numbers, use fit_pairs, or give the rows "
                "as preprocessor", _core.AkinWarning,
                stacklevel=_core.outside())

    def _calibrated(self, X: Any, examples: Any, y: Any) -> None:
        """metric-learn calibrates on the pairs that were learned from."""
        if len(np.unique(matches(y, len(examples)))) == 2 and \
                isinstance(self, Comparer):
            self.calibrate_threshold(X, y, examples)


class FromTriplets(Learner):
    """Learns from triplets of rows."""

    def fit_triplets(self, X: Any, triplets: Any) -> Self:
        """Learn from triplets (q, p, n) of row numbers, (m, 3): row q is more
        similar to p than to n."""
        rows = self._rows(X, reset=True)
        return self._fit(rows, None, "triplets", _validate.check_examples(
            triplets, 3, "triplets"))


class FromCaptions(FromLabels):
    """Learns from names that may be those of rows, as captions have them."""

    def fit(self, X: Any, y: Any = None, right: Any = None,
            captions: Any = None) -> Self:
        """Learn from rows (faces) and names.

        y : the name of each row, or of each row a list of candidate names
        captions : instead, an iterable of (rows, names): the numbers of the
            rows in a photo, and the names in its caption
        """
        if right is not None:
            raise ValueError(f"{type(self).__name__} does not compare two "
                             "kinds of rows: it has no `right`")
        rows = self._rows(self._looked_up(X), reset=True)
        classes = codes = None
        if captions is None:
            captions, classes, codes = self._own_captions(y, rows.shape[0])
        lines = "".join(json.dumps(
            {"photo": str(i), "faces": [int(f) for f in faces],
             "names": list(names)}) + "\n"
            for i, (faces, names) in enumerate(captions))
        run = Run(self, rows, None, "captions", lines, None)
        run.learn()
        run.left.codes = codes
        run.classes = model_labels(run.model) if classes is None else classes
        return self._take(run)

    def _own_captions(self, y: Any, n: int) -> tuple[Iterable[Any], Any, Any]:
        """A photo for each row; its classes where it has one name."""
        if isinstance(y, (list, tuple)) and len(y) == n and all(
                isinstance(names, (list, tuple, set, frozenset)) for names in y):
            return (([i], [str(s) for s in names])
                    for i, names in enumerate(y)), None, None
        classes, codes = np.unique(self._labels(y, n), return_inverse=True)
        names: Sequence[str] = _core.label_names(classes)
        return (([i], [names[k]]) for i, k in enumerate(codes)), classes, codes


class Ranker(FromLabels):
    """Ranks labels for a row."""

    def predict(self, X: Any, side: str = "left") -> NDArray[Any]:
        """The label that ranks first, for each row; `side` as for
        `rank_labels`."""
        return self.rank_labels(X, 1, side)[0][:, 0]

    def rank_labels(self, X: Any, top: int | None = None, side: str = "left"
                    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """(labels, scores) of the `top` labels of each row, best first; None:
        of all labels. With two kinds of rows, `side` is the side of X; a model
        that does not compare rows (HFA) has labels for the right one alone."""
        model = self._model
        rows = self._ranked_rows(X, side)
        known = [text(lib.akin_model_label_name(model, k))
                 for k in range(lib.akin_model_label_count(model))]
        top = len(known) if top is None else \
            min(_core.whole(top, "top", 1), len(known))
        labels = np.empty((rows.shape[0], top), dtype=np.int32)
        scores = np.empty((rows.shape[0], top))
        with self._context() as ctx:
            if side == "right" and lib.akin_model_compares(model):
                model = call(ctx, lib.akin_model_turn, "akin_model",
                             lib.akin_model_free, model)
            prepared = call(ctx, lib.akin_model_prepare, "akin_rows",
                            lib.akin_rows_free, model,
                            _core.rows_of(ctx, rows), lib.AKIN_LEFT)
            ctx.check(ctx.run(
                lib.akin_rank_labels, ffi.from_buffer("int32_t[]", labels),
                ffi.from_buffer("double[]", scores), ctx.handle, model,
                prepared, top))
        return self._classes_of(known)[labels], scores

    def _ranked_rows(self, X: Any, side: str) -> Any:
        width = model_width(self._model)
        if lib.akin_model_compares(self._model) or \
                width == self.n_features_in_:
            return self._side_rows(X, side)
        rows = _validate.check_rows(self._looked_up(X), self)
        _validate.check_width(rows, self, width)
        return rows

    def _classes_of(self, known: list[str]) -> Any:
        """The classes of the labels of the model, in its order."""
        by_name = dict(zip(_core.label_names(self.classes_), self.classes_))
        return np.array([by_name[name] for name in known],
                        dtype=self.classes_.dtype)


class Online(Learner):
    """Learns further from what comes."""

    def partial_fit(self, X: Any, y: Any = None, classes: Any = None, *,
                    triplets: Any = None, pairs: Any = None,
                    guard: bool = False) -> Self:
        """Learn from further rows, in one pass unless `passes` says otherwise.
        To learn from A and then from B gives what one run over both gives.

        classes : labels may appear later, so it is needed only where the first
            rows are all of one class. Rows of one class wait: they are learned
            together with the next rows that are of another
        triplets : instead of labels, numbers of rows of X, (m, 3)
        pairs : instead of labels, numbers of rows of X, (m, 2); y is above 0
            where they match
        guard : learn no more of it than does no harm: a part is held out, and
            the model must not become worse on that
        """
        begun = self.__dict__.get("_fitted")
        waiting = self.__dict__.get("_waiting")
        rows = self._rows(X, reset=begun is None and waiting is None)
        before: Any = self.__dict__.get("classes_")
        if begun is None and waiting is None or begun is not None and \
                begun.kind in ("pairs", "triplets") and not begun.voters:
            before = None  # the classes of tuples are no labels
        parts = [] if begun is None or "left" not in begun.voters else [
            (begun.voters["left"][0], before[begun.voters["left"][1]])]
        examples = labels = None
        if triplets is not None:
            kind = "triplets"
            examples = _validate.check_examples(triplets, 3, "triplets")
        elif pairs is not None:
            kind = "pairs"
            ij = _validate.check_examples(pairs, 2, "pairs")
            examples = np.column_stack(
                [ij, np.where(matches(y, len(ij)), 1, -1)])
        else:
            kind = "labels"
            labels = self._labels(y, rows.shape[0])
            before = _of_kind(before, labels, begun)
            _of_kind(None if classes is None else np.asarray(classes), labels)
            if classes is not None and not np.isin(labels, classes).all():
                raise ValueError("y has labels that are not in `classes`: "
                                 f"{np.setdiff1d(labels, classes).tolist()}")
            parts.append((rows, labels))
            if waiting is not None:
                _of_kind(waiting[1], labels)
                rows = _stacked(waiting[0], rows)
                labels = np.concatenate([waiting[1], labels])
            if len(np.unique(labels)) < 2:
                return self._wait(rows, labels, parts, before, classes)
        run = Run(self, rows, labels, kind, examples, None)
        run.passes = run.passes or 1
        run.learn(None if begun is None else begun.model, guard)
        if begun is not None:
            run.verdict = self.verdict_
        elif waiting is not None:
            parts.insert(0, waiting)
        self._take(run)
        if kind != "labels" and waiting is not None:
            self._waiting = waiting
        self._join(parts, before, classes)
        return self

    def _wait(self, rows: Any, labels: Any, parts: list[Any], before: Any,
              classes: Any) -> Self:
        """Rows of one class are learned once those of another come."""
        begun = "_fitted" in self.__dict__
        if not begun and before is None and (
                classes is None or len(np.unique(classes)) < 2):
            raise ValueError("all rows are of one class (expected two or more, "
                             "or `classes` that name more)")
        self._waiting = rows, labels
        self.n_features_in_ = rows.shape[1]
        if begun:
            self._join(parts, before, classes)
        else:
            self.classes_ = np.unique(np.concatenate(
                [labels] + [c for c in (before, classes) if c is not None]))
        return self

    def _join(self, parts: list[Any], before: Any, classes: Any) -> None:
        """All rows so far vote."""
        known = [np.asarray(c) for c in (
            before, classes, *(labels for _, labels in parts)) if c is not None]
        if not known:
            return
        self.classes_ = np.unique(np.concatenate(known))
        if parts:
            rows = parts[0][0]
            for more, _ in parts[1:]:
                rows = _stacked(rows, more)
            codes = np.searchsorted(self.classes_, np.concatenate(
                [labels for _, labels in parts]))
            self._fitted.voters = {"left": (rows, codes),
                                   "right": (rows, codes)}
            self._fitted.prepared = {}


def _of_kind(known: Any, labels: Any, begun: Any = None) -> Any:
    """Earlier labels, which are numbers or text as the new ones are. A file
    has text for both."""
    if known is None or _is_text(known) == _is_text(labels):
        return known
    if begun is not None and begun.kind == "model":
        try:
            numbers = known.astype(np.int64)
        except ValueError:
            pass
        else:
            if _core.label_names(numbers) == known.tolist():
                return np.sort(numbers)
    words = "text", "numbers"
    raise ValueError(f"y has labels that are {words[not _is_text(labels)]}; "
                     f"others are {words[not _is_text(known)]}")


def _is_text(labels: Any) -> bool:
    return labels.dtype.kind in "US" or \
        labels.dtype.kind == "O" and any(isinstance(c, str) for c in labels)


def _stacked(a: Any, b: Any) -> Any:
    if _core.is_sparse(a) or _core.is_sparse(b):
        from scipy.sparse import vstack
        return vstack([a, b]).tocsr()
    return np.concatenate([a, b])
