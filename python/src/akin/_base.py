"""Estimators as scikit-learn knows them, over a model of the C library.

scikit-learn is not imported: it recognises estimators by their methods.
"""
from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from akin import _core, _validate
from akin._core import Context, call, ffi, lib, text
from akin._results import Verdict, optional
from akin._run import Run

if TYPE_CHECKING:
    from typing_extensions import Self



# ---- models ------------------------------------------------------------------

def model_bytes(model: Any) -> bytes:
    """The file of a model, in memory."""
    data, size = ffi.new("uint8_t **"), ffi.new("size_t *")
    with Context() as ctx:
        ctx.check(lib.akin_model_save_memory(data, size, ctx.handle, model))
    try:
        return bytes(ffi.buffer(data[0], size[0]))
    finally:
        lib.akin_free(data[0])


def model_from(data: bytes) -> Any:
    """The model of such bytes."""
    with Context() as ctx:
        return call(ctx, lib.akin_model_load_memory, "akin_model",
                    lib.akin_model_free, ffi.from_buffer(data), len(data))


def model_width(model: Any, side: int = lib.AKIN_LEFT) -> int:
    """The columns of rows before the recipe of a model."""
    recipe = lib.akin_model_recipe(model, side)
    return int(lib.akin_model_dim(model, side) if recipe == ffi.NULL
               else lib.akin_recipe_dim(recipe))


def model_labels(model: Any) -> Any:
    """The labels that a model knows, sorted; None: it knows none."""
    count = lib.akin_model_label_count(model)
    if count == 0:
        return None
    return np.array(sorted(text(lib.akin_model_label_name(model, k))
                           for k in range(count)))


class _Fitted:
    """What fitting leaves: the model, and the rows that vote in `predict`.

    The rows are those that were given, not copied where they were float32 in C
    order. They are prepared when the first prediction needs them.
    """

    def __init__(self, model: Any, kind: str,
                 voters: dict[str, tuple[Any, Any]] | None = None) -> None:
        self.model = model
        self.kind = kind
        # (rows, numbers into the classes) for queries of each side
        self.voters = voters or {}
        self.prepared: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {"model": model_bytes(self.model), "kind": self.kind,
                "voters": self.voters}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(model_from(state["model"]),  # type: ignore[misc]
                      state["kind"], state["voters"])


# ---- estimators --------------------------------------------------------------

class Estimator:
    """Parameters, as scikit-learn has them."""

    @classmethod
    def _parameters(cls) -> list[inspect.Parameter]:
        return [p for p in inspect.signature(cls).parameters.values()]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {p.name: getattr(self, p.name) for p in
                sorted(self._parameters(), key=lambda p: p.name)}

    def set_params(self, **params: Any) -> Self:
        """Set parameters; returns the estimator."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid "
                    f"parameters are: {sorted(known)!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = [f"{p.name}={getattr(self, p.name)!r}"
                   for p in self._parameters()
                   if getattr(self, p.name) is not p.default and
                   repr(getattr(self, p.name)) != repr(p.default)]
        return f"{type(self).__name__}({', '.join(changed)})"


class Learner(Estimator):
    """An estimator that learns a similarity, or a ranking of labels."""

    _learner: ClassVar[str]
    _options: ClassVar[dict[str, str]]
    _right: ClassVar[bool] = False  # compares two kinds of rows
    _right_alone: ClassVar[bool] = False  # and nothing else
    _counts: ClassVar[bool] = False  # only counts that are mostly 0 suit it
    _needs_y: ClassVar[bool] = False

    # The parameters of all classes, or what takes their place.
    sample: int = 0
    passes: int = 0
    sampler: Any = "uniform"
    pair_weights: Any = "balanced"
    compare: Any = "auto"
    verdict: Any = "auto"
    n_neighbors: int = 1
    weights: str | None
    scale: str | None
    norm: str | None
    center: bool | None
    preprocessor: Any
    random_state: Any
    n_jobs: int | None
    verbose: int

    verdict_: Verdict | None

    # ---- fitting ----

    def fit(self, X: Any, y: Any = None, right: Any = None) -> Self:
        """Learn from rows, and labels of them.

        X : array or sparse matrix of shape (n, d), or DataFrame
        y : labels, one a row; or, where the learner compares two kinds of
            rows, an array of two dimensions whose row i matches row i of X
        right : (Z, w), rows of another kind and their labels, where the learner
            compares two kinds of rows

        With a preprocessor, or an X of three dimensions, X holds tuples as in
        metric-learn: pairs with y of +1 and -1, triplets or quadruplets.
        """
        tuples = self._tuples(X)
        if tuples is not None:
            return self._fit_tuples(*tuples, y)
        X = self._looked_up(X)
        if self._is_right(y):
            return self._fit_rows_of_two_kinds(X, y)
        rows = self._rows(X, reset=True)
        labels = self._labels(y, rows.shape[0])
        self._doubt(X, labels)
        return self._fit(rows, labels, right=right)

    def _check_parameters(self) -> None:
        """Those that the library does not check."""
        for name, least in (("sample", 0), ("passes", 0), ("n_neighbors", 1)):
            _core.whole(getattr(self, name), name, least)
        _core.whole(int(self.verbose) if isinstance(
            self.verbose, (bool, np.bool_)) else self.verbose, "verbose", 0)
        center = getattr(self, "center", None)
        if center is not None and not (
                isinstance(center, (bool, int, np.bool_, np.integer)) and
                center in (0, 1)):
            raise ValueError(f"center is {center!r} (expected True, False or "
                             "None)")

    def _doubt(self, X: Any, y: Any) -> None:
        """Warn of rows that may be meant as something else."""

    def _is_right(self, y: Any) -> bool:
        """Whether y has rows of the right side rather than labels."""
        if not self._right or y is None:
            return False
        shape = shape_of(y)
        return len(shape) == 2 and shape[1] > 1

    def _fit_rows_of_two_kinds(self, X: Any, Y: Any) -> Self:
        raise ValueError(f"y should be a 1d array, got an array of shape "
                         f"{shape_of(Y)} instead.")

    def _labels(self, y: Any, n: int) -> Any:
        """y as labels, or None where there are none."""
        return None

    def _fit(self, rows: Any, y: Any, kind: str = "labels",
             examples: Any = None, right: Any = None) -> Self:
        run = Run(self, rows, y, kind, examples, right)
        if run.classes is not None and len(run.classes) < 2:
            raise ValueError("all rows are of one class (expected two or more)")
        run.learn()
        return self._take(run)

    def _take(self, run: Run) -> Self:
        """Become what a run that has ended came to."""
        voters = {}
        for side, other in (("left", run.right or run.left),
                            ("right", run.left)):
            if other.codes is not None:
                voters[side] = other.rows, other.codes
        self._fitted = _Fitted(run.model, run.kind, voters)
        self.n_features_in_ = run.left.rows.shape[1]
        for name in ("classes_", "_waiting"):
            self.__dict__.pop(name, None)
        if run.classes is not None:
            self.classes_ = run.classes
        self.info_ = run.info
        self.n_iter_ = max(1, run.info.iterations)
        self.verdict_ = run.verdict
        run.warn()
        return self

    @property
    def _model(self) -> Any:
        fitted = self.__dict__.get("_fitted")
        if fitted is None:
            raise _validate.not_fitted(self)
        return fitted.model

    def __sklearn_is_fitted__(self) -> bool:
        return "_fitted" in self.__dict__

    def _context(self, progress: Callable[..., Any] | None = None) -> Context:
        return Context(self.n_jobs, _validate.seed_of(self.random_state),
                       progress, self.verbose)

    # ---- rows and tuples ----

    def _rows(self, X: Any, reset: bool = False, least: int = 1) -> Any:
        """Rows as the library takes them; of as many columns as were fitted."""
        names = _validate.column_names(X)
        if not reset:
            _validate.check_names(self, names)
        made = _validate.check_rows(X, self, least=least, verbose=self.verbose)
        if reset:
            self.__dict__.pop("feature_names_in_", None)
            if names is not None:
                self.feature_names_in_ = names
        else:
            _validate.check_width(made, self, self.n_features_in_)
        return made

    def _looked_up(self, X: Any) -> Any:
        """The rows of a preprocessor that X names, or X itself."""
        if self.preprocessor is None or len(shape_of(X)) != 1:
            return X
        return self._preprocess(np.asarray(X))

    def _preprocess(self, indices: Any) -> Any:
        if callable(self.preprocessor):
            return np.asarray(self.preprocessor(indices))
        rows = _core.to_csr(self.preprocessor, "preprocessor") \
            if _core.is_sparse(self.preprocessor) \
            else np.asarray(self.preprocessor)
        if rows.ndim != 2:
            raise ValueError("preprocessor is neither an array of rows nor a "
                             f"function: {self.preprocessor!r}")
        if indices.dtype.kind not in "iu":
            raise ValueError("with a preprocessor, X must be numbers of rows; "
                             f"it is of {indices.dtype}")
        out = indices[(indices < -rows.shape[0]) | (indices >= rows.shape[0])]
        if len(out):
            raise ValueError(f"there is no row {out[0]} in the preprocessor: "
                             f"it has {rows.shape[0]}")
        return rows[indices]

    def _tuples(self, X: Any) -> tuple[Any, Any] | None:
        """(rows, examples of row numbers) where X holds tuples, else None."""
        if _core.is_sparse(X) or hasattr(X, "columns"):
            return None
        shape = shape_of(X)
        if len(shape) == 3:
            array = np.asarray(X)
            rows, numbers = _distinct(array.reshape(-1, shape[2]))
            return rows, numbers.reshape(shape[:2])
        if self.preprocessor is not None and len(shape) == 2:
            named, numbers = np.unique(np.asarray(X), return_inverse=True)
            return self._preprocess(named), numbers.reshape(shape)
        return None

    def _fit_tuples(self, X: Any, examples: Any, y: Any) -> Self:
        raise ValueError(f"{type(self).__name__} does not learn from tuples")

    # ---- files ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, the same that `akin train` writes."""
        with self._context() as ctx:
            ctx.check(lib.akin_model_save(ctx.handle, self._model,
                                          _core.path_bytes(path)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """An estimator of a file that `save` or `akin train` wrote."""
        with Context() as ctx:
            model = call(ctx, lib.akin_model_load, "akin_model",
                         lib.akin_model_free, _core.path_bytes(path))
        learner = text(lib.akin_model_learner(model))
        if learner != cls._learner:
            raise ValueError(f"{os.fspath(path)}: a model of {learner}, not of "
                             f"{cls._learner} (akin.load reads any)")
        return cls._of_model(model)

    @classmethod
    def _of_model(cls, model: Any) -> Self:
        made = cls()
        for p in cls._parameters():
            note = optional(lib.akin_model_note(
                model, f"option.{cls._options.get(p.name, p.name)}".encode()))
            if p.name in cls._options and note is not None:
                setattr(made, p.name, _value(note, p.default))
            elif p.name == "sampler":
                made.sampler = optional(lib.akin_model_note(
                    model, b"sampler")) or p.default
        made._fitted = _Fitted(model, "model")
        made.verdict_ = None
        recipe = lib.akin_model_recipe(model, lib.AKIN_LEFT)
        made.n_features_in_ = int(
            lib.akin_model_dim(model, lib.AKIN_LEFT) if recipe == ffi.NULL
            else lib.akin_recipe_dim(recipe))
        names = _validate.known_names(model, lib.AKIN_LEFT)
        if names is not None:
            made.feature_names_in_ = names
        classes = model_labels(model)
        if classes is not None:
            made.classes_ = classes
        return made

    def notes(self) -> dict[str, str]:
        """What the model's file notes of it: options, seed, examples."""
        key, value = ffi.new("const char **"), ffi.new("const char **")
        out: dict[str, str] = {}
        while lib.akin_model_note_at(key, value, self._model, len(out)):
            out[text(key[0])] = text(value[0])
        return out

    # ---- scikit-learn ----

    def _more_tags(self) -> dict[str, Any]:
        """The tags of scikit-learn up to 1.5."""
        dense = [] if self._counts else ["2darray"]
        return {"requires_y": self._needs_y, "X_types": [*dense, "sparse"],
                "preserves_dtype": [np.float32]}

    def __sklearn_tags__(self) -> Any:
        """The tags of scikit-learn from 1.6 on."""
        from sklearn.utils import (ClassifierTags, InputTags, Tags, TargetTags,
                                   TransformerTags)
        classifies = getattr(self, "_estimator_type", None) == "classifier"
        return Tags(
            estimator_type="classifier" if classifies else None,
            target_tags=TargetTags(required=self._needs_y),
            transformer_tags=TransformerTags(preserves_dtype=["float32"])
            if hasattr(self, "transform") else None,
            classifier_tags=ClassifierTags(
                poor_score=bool(self._more_tags().get("poor_score")))
            if classifies else None,
            input_tags=InputTags(two_d_array=not self._counts, sparse=True))


def _value(note: str, default: Any) -> Any:
    """The value of a parameter from a note of a model."""
    if isinstance(default, bool) or isinstance(default, str):
        return note
    return int(note) if isinstance(default, int) else float(note)


def shape_of(X: Any) -> tuple[int, ...]:
    """The shape of anything that can be an array."""
    shape = getattr(X, "shape", None)
    return np.asarray(X).shape if shape is None else tuple(shape)


def _distinct(rows: Any) -> tuple[Any, Any]:
    """Rows without repeats in the order they come, and the number of each."""
    rows = np.ascontiguousarray(rows)
    if rows.dtype.kind not in "fiu":
        rows = np.ascontiguousarray(rows, dtype=np.float64)
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))
    _, first, inverse = np.unique(keys.ravel(), return_index=True,
                                  return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return rows[first[order]], place[inverse]
