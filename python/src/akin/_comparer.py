"""Estimators that compare rows."""
from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from akin import _core, _validate
from akin._base import Learner
from akin._core import Context, call, ffi, lib, long_call, text
from akin._results import Threshold, optional

if TYPE_CHECKING:
    from typing_extensions import Self


# Rows that are transformed at a time.
_BLOCK = 32768


class Comparer(Learner):
    """Scores how similar two rows are, and transforms rows so that a plain
    measure says the same."""

    def transform(self, X: Any, right: Any = None) -> Any:
        """Rows in which the plain dot product (or the distance) is the learned
        similarity: float32, or CSR where rows stay sparse. With rows of the
        right side, too, (left, right)."""
        if right is None:
            return self.transform_left(X)
        return self.transform_left(X), self.transform_right(right)

    def transform_left(self, X: Any) -> Any:
        """As `transform`, of rows of the left side."""
        model = self._model
        rows = self._rows(self._looked_up(X))
        return self._output(self._embed(model, rows, lib.AKIN_LEFT), X)

    def transform_right(self, Z: Any) -> Any:
        """As `transform`, of rows of the right side."""
        model = self._model
        rows = self._right_rows(self._looked_up(Z), "Z")
        return self._output(self._embed(model, rows, lib.AKIN_RIGHT), Z)

    def _embed(self, model: Any, rows: Any, side: int) -> Any:
        """In blocks: what the recipe makes of dense rows is as large as they
        are, and so is never there as a whole."""
        n = rows.shape[0]
        if n <= _BLOCK or _core.is_sparse(rows):
            return self._embed_block(model, rows, side)
        first = self._embed_block(model, rows[:_BLOCK], side)
        out = np.empty((n, first.shape[1]), dtype=first.dtype)
        out[:_BLOCK] = first
        for at in range(_BLOCK, n, _BLOCK):
            out[at:at + _BLOCK] = self._embed_block(
                model, rows[at:at + _BLOCK], side)
        return out

    def _embed_block(self, model: Any, rows: Any, side: int) -> Any:
        with self._context() as ctx:
            prepared = call(ctx, lib.akin_model_prepare, "akin_rows",
                            lib.akin_rows_free, model,
                            _core.rows_of(ctx, rows), side)
            return _core.to_array(long_call(
                ctx, lib.akin_model_embed, "akin_rows", lib.akin_rows_free,
                model, prepared, side))

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """`fit`, then `transform` of the same rows; of both sides where y has
        the rows of the right one."""
        self.fit(X, y, **fit_params)
        return self.transform(X, y if self._is_right(y) else None)

    # ---- output ----

    def get_feature_names_out(self, input_features: Any = None
                              ) -> NDArray[np.object_]:
        """Names of the columns of `transform`: that of the class, and a
        number."""
        model = self._model
        if input_features is not None:
            known = getattr(self, "feature_names_in_", None)
            if known is not None and not np.array_equal(known, input_features):
                raise ValueError("input_features is not equal to "
                                 "feature_names_in_")
            if len(input_features) != self.n_features_in_:
                raise ValueError("input_features should have length equal to "
                                 f"number of features ({self.n_features_in_}), "
                                 f"got {len(input_features)}")
        width = self._embed(model, np.ones((1, self.n_features_in_),
                                           dtype=np.float32),
                            lib.AKIN_LEFT).shape[1]
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(width)], dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:
        """What `transform` returns: "default" or "pandas"."""
        if transform is not None:
            if transform not in ("default", "pandas"):
                raise ValueError("output config must be 'default' or 'pandas', "
                                 f"got {transform}")
            self._sklearn_output_config = {"transform": transform}
        return self

    def _output(self, made: Any, X: Any) -> Any:
        wanted = self.__dict__.get("_sklearn_output_config", {}).get("transform")
        sklearn = sys.modules.get("sklearn")
        if wanted is None and sklearn is not None:
            wanted = sklearn.get_config().get("transform_output")
        if wanted != "pandas":
            return made
        import pandas as pd
        if _core.is_sparse(made):
            raise ValueError("pandas output does not support sparse data: set "
                             "output to default")
        return pd.DataFrame(made, columns=self.get_feature_names_out(),
                            index=getattr(X, "index", None), copy=False)

    # ---- pairs ----

    def pair_score(self, X: Any, pairs: Any = None, right: Any = None
                   ) -> NDArray[np.float64]:
        """How similar the two of each pair are: more is more similar.

        X : pairs of rows, (n, 2, d), or with a preprocessor (n, 2); or rows
        pairs : of X as rows, the numbers of the two, (n, 2)
        right : rows that the second number refers to; None: X
        """
        left, ij = self._pairs(X, pairs)
        with self._context() as ctx:
            a = self._ready(ctx, left, lib.AKIN_LEFT)
            b = self._ready(ctx, left if right is None else
                            self._right_rows(right), lib.AKIN_RIGHT)
            return self._scores(ctx, a, b, ij)

    def _scores(self, ctx: Context, a: Any, b: Any, ij: Any
                ) -> NDArray[np.float64]:
        scores = np.empty(len(ij))
        if len(ij):
            ctx.check(ctx.run(
                lib.akin_model_score, ffi.from_buffer("double[]", scores),
                ctx.handle, self._model, a, b,
                ffi.from_buffer("int64_t[]", ij), len(ij),
                lib.AKIN_BY_DEFAULT))
        return scores

    def _right_rows(self, X: Any, name: str = "right") -> Any:
        _validate.check_columns(self._model, X, lib.AKIN_RIGHT)
        return _validate.check_rows(X, self, name)

    def _ready(self, ctx: Context, rows: Any, side: int) -> Any:
        return call(ctx, lib.akin_model_prepare, "akin_rows",
                    lib.akin_rows_free, self._model, _core.rows_of(ctx, rows),
                    side)

    def _pairs(self, X: Any, pairs: Any) -> tuple[Any, Any]:
        """(rows, numbers of pairs of them)."""
        self._model
        if pairs is None:
            tuples = self._tuples(X)
            if tuples is None:
                raise ValueError("expected pairs of rows, (n, 2, d), or rows "
                                 "and the numbers of pairs")
            X, pairs = tuples
        return self._rows(X), _validate.check_examples(pairs, 2, "pairs")

    def _is_metric(self) -> bool:
        """Whether a distance between transformed rows is what was learned."""
        return bool(lib.akin_model_is_symmetric(self._model))

    def pair_distance(self, X: Any, pairs: Any = None) -> NDArray[np.float64]:
        """The distance of each pair in the learned space. For true metrics
        alone: models whose two sides are the same."""
        left, ij = self._pairs(X, pairs)
        if not self._is_metric():
            raise ValueError(f"{type(self).__name__} learned a similarity that "
                             "is no metric: use pair_score")
        at = self._embed(self._model, left, lib.AKIN_LEFT)
        if _core.is_sparse(at):
            d = at[ij[:, 0]] - at[ij[:, 1]]
            squares = np.asarray(d.multiply(d).sum(axis=1)).ravel()
        else:
            d = at[ij[:, 0]].astype(np.float64) - at[ij[:, 1]]
            squares = np.einsum("ij,ij->i", d, d)
        return np.asarray(np.sqrt(squares), dtype=np.float64)

    def get_metric(self) -> Callable[..., float]:
        """A function of two rows: their distance. For true metrics alone; it
        can be handed to scikit-learn as `metric`."""
        L = self.components_
        if not self._is_metric():
            raise ValueError(f"{type(self).__name__} learned a similarity that "
                             "is no metric: use pair_score")

        def metric(u: Any, v: Any, squared: bool = False) -> float:
            d = L @ (np.asarray(u, dtype=np.float64) - v)
            return float(d @ d) if squared else float(np.sqrt(d @ d))

        return metric

    @property
    def components_(self) -> NDArray[np.float64]:
        """L of the learned space, (n_components, n_features): rows become
        L x, up to a constant. AttributeError where the recipe or the model is
        not linear."""
        model = self._model
        d = self.n_features_in_
        probe = np.zeros((d + 1, d), dtype=np.float32)
        probe[:d] = np.eye(d, dtype=np.float32)
        check = np.random.RandomState(0).standard_normal((4, d)).astype(
            np.float32)
        at = self._dense(model, np.concatenate([probe, check]))
        L: NDArray[np.float64] = (at[:d] - at[d]).T
        far = np.abs(at[d + 1:] - at[d] - check @ L.T).max()
        if far > 1e-3 * max(1.0, np.abs(at).max()):
            recipe = lib.akin_model_recipe(model, lib.AKIN_LEFT)
            said = "" if recipe == ffi.NULL else text(
                lib.akin_recipe_text(recipe))
            raise AttributeError(
                f"the model is not linear in the rows (recipe: {said}): "
                "weights='none', norm='none' make it so, or use transform")
        return L

    def _dense(self, model: Any, rows: Any) -> NDArray[np.float64]:
        at = self._embed(model, rows, lib.AKIN_LEFT)
        if _core.is_sparse(at):
            at = at.toarray()
        return np.asarray(at, dtype=np.float64)

    def get_mahalanobis_matrix(self) -> NDArray[np.float64]:
        """M = L' L of the distance (x - y)' M (x - y)."""
        L = self.components_
        return np.asarray(L.T @ L)

    # ---- the same or different ----

    @property
    def threshold_(self) -> Threshold | None:
        """The score from which on two rows are the same; None: none is set."""
        t = ffi.new("akin_threshold *")
        if not lib.akin_model_threshold(t, self._model, lib.AKIN_BY_DEFAULT):
            return None
        if t.pairs == 0:
            return Threshold(t.score, math.nan, math.nan, 0)
        return Threshold(t.score, t.false_match_rate, t.miss_rate, t.pairs)

    def set_threshold(self, threshold: float) -> Self:
        """Two rows are the same where their score is at least this. It is
        saved with the model."""
        self._store_threshold(Threshold(float(threshold), 0.0, 0.0, 0))
        return self

    def _store_threshold(self, t: Threshold) -> None:
        with self._context() as ctx:
            ctx.check(lib.akin_model_set_threshold(
                ctx.handle, self._model, ffi.new("akin_threshold *", tuple(t)),
                lib.AKIN_BY_DEFAULT))

    def calibrate_threshold(self, X: Any, y: Any, pairs: Any = None,
                            strategy: str = "accuracy",
                            min_rate: float | None = None,
                            beta: float = 1.0) -> Self:
        """Set the threshold that is best for pairs of which y says whether they
        match (above 0) or not.

        strategy : "accuracy"; "f_beta" with `beta`; "max_tpr" with a true
            negative rate of at least `min_rate`; "max_tnr" with a true
            positive rate of at least that
        """
        scores = self.pair_score(X, pairs)
        match = matches(y, len(scores))
        if strategy == "accuracy":
            with self._context() as ctx:
                v = _verify(ctx, scores, match)
            t = v.threshold
        else:
            t = _best_threshold(scores, match, strategy, min_rate, beta)
        said = scores >= t
        self._store_threshold(Threshold(
            float(t), float(np.mean(said[~match])),
            float(np.mean(~said[match])), len(scores)))
        return self

    @property
    def decision_function(self) -> Callable[[Any], Any]:
        """Of an estimator that was fitted to tuples, a function of tuples:
        the scores of pairs; of triplets and quadruplets, how much more similar
        the first two are. For scorers of scikit-learn, such as "roc_auc"."""
        if self.__dict__.get("_fitted") is None or \
                self._fitted.kind not in ("pairs", "triplets"):
            raise AttributeError(f"{type(self).__name__} has a decision "
                                 "function once it is fitted to tuples")
        return self._decide

    def _decide(self, X: Any) -> Any:
        tuples = self._tuples(X)
        if tuples is None or tuples[1].shape[1] == 2:
            return self.pair_score(X)
        rows, examples = tuples
        examples = np.ascontiguousarray(examples, dtype=np.int64)
        return self.pair_score(rows, examples[:, :2]) - self.pair_score(
            rows, examples[:, [0, 2]] if examples.shape[1] == 3
            else examples[:, 2:])

    def _predict_tuples(self, X: Any) -> Any:
        tuples = self._tuples(X)
        least = np.nextafter(0.0, 1.0)
        if tuples is None or tuples[1].shape[1] == 2:
            if self.threshold_ is None:
                raise ValueError("there is no threshold: call "
                                 "calibrate_threshold or set_threshold")
            least = self.threshold_.score
        return np.where(self._decide(X) >= least, 1, -1)

    def _score_tuples(self, X: Any, y: Any) -> float:
        _, examples = self._tuples(X)  # type: ignore[misc]
        scores = self._decide(X)
        if examples.shape[1] == 2:
            with self._context() as ctx:
                return float(_verify(ctx, scores, matches(y, len(scores))).auc)
        return float(np.mean((scores > 0) + 0.5 * (scores == 0)))

    def explain(self, X: Any, i: int = 0, j: int = 1, top: int = 10,
                right: Any = None) -> list[tuple[Any, float]]:
        """Why rows i and j score as they do: (feature, contribution) of the
        `top` features, then (None, the rest). They add up to the score.

        Features are names where the model knows them, else numbers."""
        model = self._model
        left = self._rows(self._looked_up(X))
        reasons = ffi.new("akin_reason[]", top + 1)
        count = ffi.new("int64_t *")
        with self._context() as ctx:
            a = self._ready(ctx, left, lib.AKIN_LEFT)
            b = self._ready(ctx, left if right is None else
                            self._right_rows(right), lib.AKIN_RIGHT)
            ctx.check(lib.akin_model_explain(reasons, count, ctx.handle, model,
                                             a, i, b, j, top,
                                             lib.AKIN_BY_DEFAULT))
        return [(self._feature(reasons[k].feature), reasons[k].contribution)
                for k in range(count[0])]

    def _feature(self, j: int) -> Any:
        if j < 0:
            return None
        recipe = lib.akin_model_recipe(self._model, lib.AKIN_LEFT)
        if recipe == ffi.NULL:
            return j
        name = optional(lib.akin_recipe_column_name(recipe, j))
        return lib.akin_recipe_column(recipe, j) if name is None else name


def matches(y: Any, n: int) -> Any:
    """Whether the two of each pair match."""
    if y is None:
        raise ValueError("pairs need y: above 0 where the two match, else they "
                         "do not")
    y = np.asarray(y).ravel()
    if len(y) != n:
        raise ValueError("Found input variables with inconsistent numbers of "
                         f"samples: {[n, len(y)]}")
    try:
        numbers = y.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("y of pairs must be numbers: above 0 where the two "
                         "match, else they do not") from None
    if np.isnan(numbers).any():
        raise ValueError("Input y contains NaN.")
    return numbers > 0


def _verify(ctx: Context, scores: Any, match: Any) -> Any:
    pairs = np.zeros((len(scores), 3), dtype=np.int64)
    pairs[:, 2] = np.where(match, 1, -1)
    v = ffi.new("akin_verification *")
    ctx.check(lib.akin_eval_verify(
        v, ctx.handle, ffi.from_buffer("double[]", scores),
        ffi.from_buffer("int64_t[]", pairs), len(scores), 0))
    return v


def _best_threshold(scores: Any, match: Any, strategy: str,
                    min_rate: float | None, beta: float) -> float:
    """By the strategies of metric-learn."""
    if match.all() or not match.any():
        raise ValueError("all pairs match, or none does")
    cuts = np.unique(scores)
    order = np.sort(scores[match]), np.sort(scores[~match])
    found = 1 - np.searchsorted(order[0], cuts) / len(order[0])
    wrong = 1 - np.searchsorted(order[1], cuts) / len(order[1])
    if strategy == "f_beta":
        hits, others = found * len(order[0]), wrong * len(order[1])
        b2 = beta * beta
        value = (1 + b2) * hits / (b2 * len(order[0]) + hits + others)
        return float(cuts[np.argmax(value)])
    if strategy not in ("max_tpr", "max_tnr"):
        raise ValueError(f"strategy={strategy!r}: expected accuracy, f_beta, "
                         "max_tpr or max_tnr")
    if min_rate is None or not 0 <= min_rate <= 1:
        raise ValueError(f"strategy {strategy!r} needs a min_rate from 0 to 1")
    if strategy == "max_tpr":
        fits = 1 - wrong >= min_rate
        return float(cuts[fits][0]) if fits.any() else \
            float(np.nextafter(cuts[-1], np.inf))
    return float(cuts[found >= min_rate][-1])
