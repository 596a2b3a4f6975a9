"""One run of a learner: options, rows through their recipes, what is known of
them, learning, and the check of what was learned."""
from __future__ import annotations

import math
import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from akin import _core, _validate
from akin._core import Context, call, ffi, lib, long_call, text
from akin._results import (Verdict, WorseWarning, bar_of, info_of, optional,
                           verdict_of)

if TYPE_CHECKING:
    from akin._base import Learner

# The plain measures of a verdict are tried over rows of no more numbers.
_MOST_RAW = 20_000_000
COMPARE = {"auto": lib.AKIN_BY_DEFAULT, "dot": lib.AKIN_BY_DOT,
           "cosine": lib.AKIN_BY_COSINE, "distance": lib.AKIN_BY_DISTANCE}
_KINDS = {"pairs": lib.AKIN_PAIRS, "triplets": lib.AKIN_TRIPLETS}


class Side:
    """Rows of one kind, before and after their recipe."""

    def __init__(self, rows: Any, codes: Any = None) -> None:
        self.rows = rows
        self.codes = codes
        self.raw: Any = None
        self.recipe: Any = ffi.NULL
        self.prepared: Any = None


class Run:
    """One run of a learner, in the order of `akin train`."""

    def __init__(self, estimator: Learner, rows: Any, y: Any, kind: str,
                 examples: Any, right: Any) -> None:
        estimator._check_parameters()
        self.of = estimator
        self.kind = kind
        self.passes = int(estimator.passes)
        self.examples = examples
        self.classes: Any = None
        self.left = Side(rows)
        self.right: Side | None = None
        self.model: Any = None
        self.resume: Any = ffi.NULL
        self.learner = self._find_learner()
        if kind == "labels":
            self._encode(y, right)
        elif right is not None:
            self.right = Side(_validate.check_rows(right, estimator, "right"))

    def _find_learner(self) -> Any:
        return lib.akin_learner_find(self.of._learner.encode())

    def _encode(self, y: Any, right: Any) -> None:
        """Labels as numbers into the classes, of both sides."""
        Z: Any = None
        w: Any = None
        if right is not None:
            if not self.learner.takes_right:
                raise ValueError(f"{type(self.of).__name__} does not compare "
                                 "two kinds of rows: it has no `right`")
            Z, w = right if isinstance(right, tuple) else (right, None)
            Z = _validate.check_rows(Z, self.of, "right")
            self.right = Side(Z)
        elif self.of._right_alone:
            Z, w = self.left.rows, y
            self.right = Side(Z)
        if y is None:
            return
        if w is not None:
            w = _validate.check_labels(w, Z.shape[0], "the labels of right")
            both = np.concatenate([y, w])
            self.classes, codes = np.unique(both, return_inverse=True)
            self.left.codes = codes[:len(y)]
            assert self.right is not None
            self.right.codes = codes[len(y):]
        else:
            self.classes, self.left.codes = np.unique(y, return_inverse=True)

    # ---- the parts of a run ----

    def learn(self, resume: Any = None, guard: bool = False) -> None:
        """Learn, check, and keep the model, its verdict and how it ended."""
        self.resume = ffi.NULL if resume is None else resume
        bar = bar_of(self.of._learner, self.of.verbose)
        with self.of._context(bar) as ctx:
            try:
                self._seed(ctx)
                options = self._options(ctx)
                for side, number in ((self.left, lib.AKIN_LEFT),
                                     (self.right, lib.AKIN_RIGHT)):
                    if side is not None:
                        self._prepare(ctx, options, side, number)
                known = self._supervision(ctx)
                info = ffi.new("akin_learn_info *")
                if resume is None and not guard:
                    self.model = long_call(
                        ctx, lib.akin_learn, "akin_model", lib.akin_model_free,
                        options, known, info)
                    kept = math.nan
                else:
                    kept = self._further(ctx, options, known, info, guard)
                self._check(ctx, options, known, info, kept)
                self.info = info_of(info)
            finally:
                if bar is not None:
                    bar.close()

    def _seed(self, ctx: Context) -> None:
        """A model that goes on continues its seed."""
        if self.resume != ffi.NULL and self.of.random_state is None:
            note = lib.akin_model_note(self.resume, b"seed")
            if note != ffi.NULL:
                lib.akin_ctx_set_seed(ctx.handle, int(text(note)))

    def _options(self, ctx: Context) -> Any:
        of = self.of
        options = call(ctx, lib.akin_options_new, "akin_options",
                       lib.akin_options_free, of._learner.encode())
        self._texts: list[Any] = []
        kinds = {text(self.learner.options[i].name): self.learner.options[i]
                 for i in range(self.learner.n_options)}
        for name, option in of._options.items():
            value = getattr(of, name)
            _validate.check_option(kinds[option], name, value)
            self._set(ctx, options, option, self._chosen(option, value))
        if of.compare not in COMPARE:
            raise ValueError(f"compare={of.compare!r}: expected one of "
                             f"{', '.join(COMPARE)}")
        if of.compare != "auto" and "score" in kinds:
            self._set(ctx, options, "score", of.compare)
        start = of._options.get("start") and getattr(of, "start")
        if start and getattr(of, "rank", None) == 0 and os.path.exists(start):
            started = call(ctx, lib.akin_model_load, "akin_model",
                           lib.akin_model_free, _core.path_bytes(start))
            if lib.akin_model_rank(started) > 0:
                self._set(ctx, options, "rank", lib.akin_model_rank(started))
        return options

    def _chosen(self, option: str, value: Any) -> Any:
        """What a model that goes on chose for "auto", from its first rows."""
        if self.resume == ffi.NULL or value != "auto":
            return value
        note = optional(lib.akin_model_note(self.resume,
                                            f"option.{option}".encode()))
        return value if note is None else note

    def _set(self, ctx: Context, options: Any, name: str, value: Any) -> None:
        if isinstance(value, (bool, np.bool_)):
            value = int(value)
        word = repr(float(value)) if isinstance(value, (float, np.floating)) \
            else str(value)
        # Texts are borrowed.
        self._texts.append(ffi.new("char[]", _core.encoded(word)))
        ctx.check(lib.akin_options_set(ctx.handle, options, name.encode(),
                                       self._texts[-1]))

    def _prepare(self, ctx: Context, options: Any, side: Side,
                 number: int) -> None:
        """Rows through their recipe, with their labels."""
        raw = self._raw(ctx, side)
        most = self.learner.most_columns
        if most and lib.akin_rows_dim(raw) > most:
            raise ValueError(
                f"{self.of._learner} supports at most {most} columns (there "
                f"are {lib.akin_rows_dim(raw)}): use fewer, or a learner for "
                "many, such as LoretaPSD")
        if self.resume != ffi.NULL:
            recipe = lib.akin_model_recipe(self.resume, number)
        else:
            recipe = self._fit_recipe(ctx, options, raw)
        if recipe == ffi.NULL:
            side.prepared = raw
        else:
            side.recipe = recipe
            side.prepared = call(ctx, lib.akin_recipe_apply, "akin_rows",
                                 lib.akin_rows_free, recipe, raw)
        side.raw = raw
        if lib.akin_rows_nonzeros(side.prepared) == 0:
            words = "" if recipe == ffi.NULL else text(
                lib.akin_recipe_text(recipe))
            raise ValueError(self._nothing_left(side, words))

    def _raw(self, ctx: Context, side: Side) -> Any:
        """Rows before their recipe, with their labels."""
        names = getattr(self.of, "feature_names_in_", None) \
            if side is self.left else None
        raw = _core.rows_of(ctx, side.rows, names,
                            "X" if side is self.left else "right")
        if side.codes is not None and self.kind == "labels":
            self._label(ctx, raw, side)
        return raw

    def _nothing_left(self, side: Side, recipe: str) -> str:
        if lib.akin_rows_nonzeros(side.raw) == 0:
            return "every row is empty"
        if lib.akin_rows_count(side.raw) == 1:
            return (f"there is 1 sample, n_samples=1 (expected two or more: "
                    f"{recipe} leaves nothing of one)")
        said = f"every row is empty after the recipe ({recipe})"
        if lib.akin_rows_is_sparse(side.raw) and "idf" in recipe and \
                not self.of._counts:
            said += (": sparse rows are taken as words, and a word that every "
                     "row has weighs nothing; weights=\"none\" leaves the "
                     "numbers as they are")
        return said

    def _label(self, ctx: Context, raw: Any, side: Side) -> None:
        """Numbers in the order in which labels come, as files are read."""
        present, first = np.unique(side.codes, return_index=True)
        order = present[np.argsort(first)]
        place = np.full(len(self.classes), -1)
        place[order] = np.arange(len(order))
        _core.labels_of(ctx, raw, place[side.codes], self.classes[order])

    def _fit_recipe(self, ctx: Context, options: Any, raw: Any) -> Any:
        own = lib.akin_options_recipe(options)
        o = ffi.new("akin_recipe_options *",
                    lib.akin_default_recipe if own == ffi.NULL else own[0])
        kept = []
        for name in ("weights", "scale", "norm"):
            value = getattr(self.of, name)
            if value is not None:
                kept.append(ffi.new("char[]", _core.encoded(str(value))))
                setattr(o, name, kept[-1])
        if self.of.center is not None:
            o.center = int(self.of.center)
        return call(ctx, lib.akin_recipe_fit, "akin_recipe",
                    lib.akin_recipe_free, raw, o)

    def _supervision(self, ctx: Context) -> Any:
        """What is known of the prepared rows, and how examples are drawn."""
        of, known = self.of, self._known(ctx)
        lib.akin_supervision_sample(known, int(of.sample), self.passes)
        if of.sampler not in ("uniform", "warp"):
            raise ValueError(f"sampler={of.sampler!r}: expected uniform or warp")
        if of.sampler == "warp":
            lib.akin_supervision_sampling(known, lib.AKIN_WARP)
        if of.pair_weights not in ("balanced", "printed"):
            raise ValueError(f"pair_weights={of.pair_weights!r}: expected "
                             "balanced or printed")
        if of.pair_weights == "printed":
            lib.akin_supervision_pair_weights(known, lib.AKIN_PRINTED)
        return known

    def _known(self, ctx: Context) -> Any:
        right = self.right
        known = call(ctx, lib.akin_supervision_new, "akin_supervision",
                     lib.akin_supervision_free, self.left.prepared,
                     ffi.NULL if right is None else right.prepared,
                     self.left.recipe)
        if right is not None:
            lib.akin_supervision_right_recipe(known, right.recipe)
        if self.kind == "captions":
            ctx.check(lib.akin_supervision_captions(
                ctx.handle, known, b"captions", self.examples.encode()))
        elif self.kind != "labels":
            numbers = np.ascontiguousarray(self.examples, dtype=np.int64)
            ctx.check(lib.akin_supervision_set(
                ctx.handle, known, _KINDS[self.kind],
                ffi.from_buffer("int64_t[]", numbers), len(numbers)))
        return known

    def _further(self, ctx: Context, options: Any, known: Any, info: Any,
                 guard: bool) -> float:
        """On from a model, or the first piece of a stream. The share of the
        examples that was learned from."""
        kept = 1.0
        if guard and self.resume != ffi.NULL:
            verdict = ffi.new("akin_verdict *")
            check = ffi.new("akin_check_options *", lib.akin_default_check)
            ctx.kept.append(check)
            ctx.check(ctx.run(lib.akin_guard, verdict, ctx.handle, options,
                              known, self.resume, check))
            kept = verdict.kept
        if kept == 0.0:
            self.model = self.resume
            info.loss = info.objective = math.nan
            return kept
        part = known
        if kept < 1.0:
            part = call(ctx, lib.akin_supervision_share, "akin_supervision",
                        lib.akin_supervision_free, known, options, kept)
        learning = call(ctx, lib.akin_learning_begin, "akin_learning",
                        lib.akin_learning_free, options, part, self.resume)
        ctx.check(ctx.run(lib.akin_learning_observe_all, ctx.handle, learning))
        lib.akin_learning_info(info, learning)
        self.model = call(ctx, lib.akin_learning_model, "akin_model",
                          lib.akin_model_free, learning)
        return kept

    def _check(self, ctx: Context, options: Any, known: Any, info: Any,
               kept: float) -> None:
        """Whether it is better than before, and how the model compares rows."""
        of = self.of
        if of.verdict not in ("auto", "none", None):
            raise ValueError(f"verdict={of.verdict!r}: expected auto or none")
        self.verdict: Verdict | None = None
        if self.model is self.resume:
            return
        o = ffi.new("akin_check_options *", lib.akin_default_check)
        o.verdict = of.verdict == "auto" and self.resume == ffi.NULL
        o.by = COMPARE[of.compare]
        if self.resume != ffi.NULL:
            o.by = lib.akin_model_compare(self.resume)
        if o.verdict:
            for side, name in ((self.left, "raw"), (self.right, "raw_right")):
                if side is not None and \
                        lib.akin_rows_nonzeros(side.raw) <= _MOST_RAW:
                    setattr(o, name, side.raw)
        verdict = ffi.new("akin_verdict *")
        ctx.kept.append((self.model, self.left, self.right))
        ctx.check(ctx.run(lib.akin_check, verdict, ctx.handle, self.model,
                          options, known, info, o))
        if o.verdict:
            verdict.kept = kept
            self.verdict = verdict_of(verdict)

    def warn(self) -> None:
        """What a run is worth warning of."""
        name = type(self.of).__name__
        if self.info.outcome != "converged":
            warnings.warn(f"{name} stopped before it converged",
                          _core.NotConvergedWarning,
                          stacklevel=_core.outside())
        v = self.verdict
        if v is None:
            return
        plain = v.better_plain()
        if plain is not None:
            warnings.warn(f"{name} has a held-out {v.measure} of "
                          f"{v.held_out:.3f}; {plain}", WorseWarning,
                          stacklevel=_core.outside())
        if v.word == "worse":
            warnings.warn(
                f"{name} is worse than {v.baseline_measure} on held-out "
                "examples: try akin.AutoSimilarity or akin.compare, or use "
                f"{v.baseline_measure} itself", WorseWarning,
                stacklevel=_core.outside())
