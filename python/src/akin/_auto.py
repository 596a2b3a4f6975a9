"""The best similarity for some data, and the comparison behind it."""
from __future__ import annotations

import functools
import math
import os
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from akin import _core, _validate
from akin._abilities import (Comparer, FromLabels, FromPairs, FromTriplets,
                             Learner, Ranker)
from akin._comparer import matches
from akin._core import Context, call, ffi, lib, text
from akin._results import Verdict, bar_of, info_of
from akin._run import COMPARE, Run

_COMPARE_WORD = {number: word for word, number in COMPARE.items()}
_PURPOSES = {None: lib.AKIN_FOR_AUTO, "search": lib.AKIN_FOR_SEARCH,
             "classify": lib.AKIN_FOR_CLASSIFY, "verify": lib.AKIN_FOR_VERIFY,
             "rank": lib.AKIN_FOR_RANK}


class _Race(Run):
    """Plain measures, learners, recipes and settings, on held-out parts."""

    of: Any

    def _find_learner(self) -> Any:
        """A learner for what all of them together take."""
        return ffi.new("akin_learner_info *", {"takes_right": 1})

    def race(self, options: Any, learns: bool, test: Any = None) -> None:
        """Compare, and learn the best again if wanted."""
        if self.of.purpose not in _PURPOSES:
            raise ValueError(f"purpose={self.of.purpose!r}: expected search, "
                             "classify, verify or rank")
        options.purpose = _PURPOSES[self.of.purpose]
        options.effort = _core.whole(self.of.effort, "effort", 1)
        bar = bar_of("auto" if learns else "compare", self.of.verbose)
        with self.of._context(bar) as ctx:
            try:
                self._raw_rows(ctx)
                known = self._known(ctx)
                if test is not None:
                    test._raw_rows(ctx)
                    options.test = test._known(ctx)
                info = ffi.new("akin_learn_info *")
                race = ffi.new("akin_race **")
                model = ffi.new("akin_model **")
                ctx.kept.append((race, model, known, options, test))
                status = ctx.run(lib.akin_race_run, race,
                                 model if learns else ffi.NULL, ctx.handle,
                                 known, options, info)
                result = _core.own(race[0], lib.akin_race_free)
                if model[0] != ffi.NULL:
                    self.model = _core.own(model[0], lib.akin_model_free)
                ctx.check(status)
                self._read(ctx, result)
                self.info = info_of(info)
            finally:
                if bar is not None:
                    bar.close()

    def _raw_rows(self, ctx: Context) -> None:
        for side in (self.left, self.right):
            if side is not None:
                side.raw = side.prepared = self._raw(ctx, side)
                if lib.akin_rows_nonzeros(side.raw) == 0:
                    raise ValueError("every row is empty")

    def _read(self, ctx: Context, race: Any) -> None:
        """What a race came to, as Python has it."""
        self.rows = [_candidate(ctx, lib.akin_race_at(race, i))
                     for i in range(lib.akin_race_count(race))]
        self.measure = text(lib.akin_race_measure(race))
        self.reason = text(lib.akin_race_reason(race))
        best, base = lib.akin_race_best(race), lib.akin_race_baseline(race)
        self.best = None if best < 0 else self.rows[best]
        plain = None if base < 0 else self.rows[base]
        word = lib.akin_race_verdict(race)
        self.verdict = None if self.best is None else Verdict(
            None if word == ffi.NULL else text(word), self.measure,
            self.best["score"], self.best["se"],
            plain and plain["method"], plain["score"] if plain else math.nan,
            plain["se"] if plain else math.nan, self.best["gain"],
            self.best["gain_se"], self.best["examples"], None, self.reason,
            None, "", math.nan, math.nan)


def _candidate(ctx: Context, row: Any) -> dict[str, Any]:
    """A row of a race."""
    options = {}
    if row.options != ffi.NULL:
        learner = lib.akin_learner_find(row.options.learner)
        for i in range(learner.n_options):
            options[text(learner.options[i].name)] = _option(
                ctx, row.options, learner.options[i].name)
    return {"method": text(row.method), "recipe": text(row.recipe_text),
            "score": row.score, "se": row.se, "gain": row.gain,
            "gain_se": row.gain_se, "seconds": row.seconds,
            "model_bytes": row.model_bytes, "examples": row.examples,
            "compare": _COMPARE_WORD[row.by], "plain": bool(row.is_plain),
            "message": text(row.message), "options": options}


def _option(ctx: Context, options: Any, name: Any) -> str:
    room = ffi.new("char[]", 4096)
    ctx.check(lib.akin_options_get(room, ctx.handle, options, name, 4096))
    return text(room)


class AutoSimilarity(Ranker, Comparer, FromLabels, FromPairs, FromTriplets,
                     Learner):
    """The best similarity for the data: `akin train auto`.

    Plain measures, learners, recipes and settings are compared on held-out
    parts of the data, and the best is trained on everything. Where no learner
    is better than a plain measure, that is the model.

    Parameters
    ----------
    effort : int, default=2
        1 is the quickest, 5 tries the most.
    purpose : {"search", "classify", "verify", "rank"} or None, default=None
        The use that decides what is measured; None: what the data suggest.
    n_neighbors : int, default=1
        Neighbours that vote in `predict`.
    preprocessor : array or function, default=None
        Rows that indices refer to, as in metric-learn.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; None: always the same.
    n_jobs : int or None, default=None
        Threads; None or -1: all cores. Results do not depend on it.
    verbose : int, default=0
        1: a progress bar (tqdm); 2: also what the library notes.

    Attributes
    ----------
    learner_ : str
        The learner or plain measure that is the model.
    candidates_ : list of dict
        All that was compared, the best first.
    reason_ : str
        Why the best was chosen.
    """

    _learner = "auto"
    _options: ClassVar[dict[str, str]] = {}

    def __init__(self, *, effort: int = 2, purpose: str | None = None,
                 n_neighbors: int = 1, preprocessor: Any = None,
                 random_state: Any = None, n_jobs: int | None = None,
                 verbose: int = 0) -> None:
        self.effort = effort
        self.purpose = purpose
        self.n_neighbors = n_neighbors
        self.preprocessor = preprocessor
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, rows: Any, y: Any, kind: str = "labels",
             examples: Any = None, right: Any = None) -> Any:
        race = _Race(self, rows, y, kind, examples, right)
        if race.classes is not None and len(race.classes) < 2:
            raise ValueError("all rows are of one class (expected two or more)")
        race.race(ffi.new("akin_race_options *", lib.akin_default_race), True)
        self.candidates_ = race.rows
        self.reason_ = race.reason
        self.learner_ = text(lib.akin_model_learner(race.model))
        return self._take(race)

    def predict(self, X: Any, side: str = "left") -> Any:
        """The label of each row: by the model where it ranks labels, else by
        the vote of its nearest rows among those that were fitted."""
        if lib.akin_model_label_count(self._model) > 0:
            return Ranker.predict(self, X, side)
        return FromLabels.predict(self, X, side)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Any:
        """A file of any learner."""
        with Context() as ctx:
            model = call(ctx, lib.akin_model_load, "akin_model",
                         lib.akin_model_free, _core.path_bytes(path))
        made = cls._of_model(model)
        made.learner_ = text(lib.akin_model_learner(model))
        return made


class _Settings(Learner):
    """What a comparison needs of an estimator."""

    _learner = "compare"
    _options: ClassVar[dict[str, str]] = {}

    def __init__(self, effort: int, purpose: str | None, random_state: Any,
                 n_jobs: int | None, verbose: int) -> None:
        self.effort = effort
        self.purpose = purpose
        self.preprocessor = None
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


@functools.lru_cache(maxsize=None)
def _frame_class() -> Any:
    import pandas as pd

    class Comparison(pd.DataFrame):  # type: ignore[misc]
        """The table of `akin.compare`, the best first."""

        _metadata = ["measure", "reason"]

        @property
        def _constructor(self) -> Any:
            return pd.DataFrame

        def __reduce__(self) -> Any:
            return _comparison, (pd.DataFrame(self), self.measure, self.reason)

        def plot(self, ax: Any = None) -> Any:
            """Scores with their standard errors, as a chart of Matplotlib."""
            import matplotlib.pyplot as plt
            rows = self[self["score"].notna()].iloc[::-1]
            if ax is None:
                _, ax = plt.subplots(figsize=(6, 1 + 0.25 * len(rows)),
                                     layout="constrained")
            colours = ["tab:gray" if plain else "tab:blue"
                       for plain in rows["plain"]]
            ax.errorbar(rows["score"], range(len(rows)), fmt="none",
                        xerr=rows["se"].fillna(0.0), ecolor="lightgray")
            ax.scatter(rows["score"], range(len(rows)), color=colours, zorder=3)
            ax.set_yticks(range(len(rows)), rows["method"])
            ax.set_xlabel(f"held-out {self.measure}")
            return ax

    return Comparison


def _comparison(rows: Any, measure: str, reason: str) -> Any:
    """The table of a race that came to this."""
    table = _frame_class()(rows)
    table.measure = measure
    table.reason = reason
    return table


def compare(X: Any, y: Any = None, *, pairs: Any = None, triplets: Any = None,
            right: Any = None, methods: Sequence[str] | None = None,
            test: tuple[Any, Any] | None = None, purpose: str | None = None,
            effort: int = 2, tune: int = 0, random_state: Any = None,
            n_jobs: int | None = None, verbose: int = 0) -> Any:
    """Rank the plain measures and the learners that fit, on repeated splits:
    `akin compare`.

    X, y : rows and their labels
    pairs, triplets : instead of labels, as in `fit_pairs`, `fit_triplets`
    right : (Z, w) of another kind of rows
    methods : only these learners and plain measures, as `akin learners` names
        them, "lda" or "euclidean"
    test : (X, y) to score on instead of held-out parts
    purpose : "search", "classify", "verify" or "rank"
    effort : 1 is the quickest, 5 tries the most
    tune : sets of options to try for each learner besides its defaults

    Returns a pandas DataFrame, the best first, with `plot()`, `measure` and
    `reason`.
    """
    of: Any = _Settings(effort, purpose, random_state, n_jobs, verbose)
    rows = of._rows(X, reset=True)
    if pairs is not None:
        ij = _validate.check_examples(pairs, 2, "pairs")
        run = _Race(of, rows, None, "pairs", np.column_stack(
            [ij, np.where(matches(y, len(ij)), 1, -1)]), right)
    elif triplets is not None:
        run = _Race(of, rows, None, "triplets", _validate.check_examples(
            triplets, 3, "triplets"), right)
    else:
        run = _Race(of, rows, _validate.check_labels(y, rows.shape[0]),
                    "labels", None, right)
    tested = None
    if test is not None:
        held = _validate.check_rows(test[0], of, "test")
        tested = _Race(of, held, _validate.check_labels(test[1], held.shape[0]),
                       "labels", None, None)
    options = ffi.new("akin_race_options *", lib.akin_default_race)
    options.halving = 0
    options.draws = _core.whole(tune, "tune", 0)
    if methods is not None and (isinstance(methods, str) or not len(methods)):
        raise ValueError(f"methods is {methods!r} (expected a list of one or "
                         "more, or None)")
    for m in methods or ():
        if not isinstance(m, str):
            raise TypeError(f"methods has {m!r} (expected names of learners and "
                            "measures, such as 'lda')")
    kept = [ffi.new("char[]", _core.encoded(m)) for m in methods or ()]
    names = ffi.new("const char *[]", [*kept, ffi.NULL])
    if kept:
        options.methods = names
    run.race(options, False, tested)
    return _comparison(run.rows, run.measure, run.reason)
