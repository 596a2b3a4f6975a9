"""What a run comes to, as Python has it, and its progress."""
from __future__ import annotations

import importlib.util
import math
import sys
from typing import Any, NamedTuple

from akin import _core
from akin._core import ffi, lib, text


class WorseWarning(_core.AkinWarning):
    """What was learned is worse than the measure that learning began from, or
    than another plain measure."""


class LearnInfo(NamedTuple):
    """How a run ended."""
    outcome: str
    examples: int
    updates: int
    iterations: int
    loss: float
    objective: float
    seconds: float


class Verdict(NamedTuple):
    """What was learned against the measure that learning began from, on
    examples that were held out. Numbers are NaN where there are none."""
    word: str | None
    measure: str | None
    held_out: float
    held_out_se: float
    baseline_measure: str | None
    baseline: float
    baseline_se: float
    difference: float
    difference_se: float
    examples: int
    fell: str | None
    reason: str | None
    plain_measure: str | None
    plain_recipe: str
    plain: float
    kept: float

    def __str__(self) -> str:
        if not math.isfinite(self.held_out):
            return f"no verdict: {self.reason}"
        said = (f"held-out {self.measure} {self.held_out:.3f} ± "
                f"{self.held_out_se:.3f}; ")
        if self.word is None:
            return said + f"no verdict: {self.reason}"
        said += f"{self.baseline_measure} {self.baseline:.3f}: {self.word}"
        if self.fell is not None:
            fell = "precision at 1" if self.fell == "accuracy" else self.fell
            said += f" ({fell} fell)"
        plain = self.better_plain()
        return said if plain is None else f"{said}\n{plain}"

    def better_plain(self) -> str | None:
        """What to say of a plain measure that is better; None: there is
        none."""
        if self.plain_measure is None:
            return None
        return (f"without learning, {self.plain_measure} over recipe "
                f"{self.plain_recipe} has {self.plain:.3f}: try "
                "akin.AutoSimilarity")


class Threshold(NamedTuple):
    """Two rows are the same where their score is at least `score`. The rates
    are NaN where they were not measured."""
    score: float
    false_match_rate: float
    miss_rate: float
    pairs: int


def optional(chars: Any) -> str | None:
    return None if chars == ffi.NULL else text(chars)


def info_of(info: Any) -> LearnInfo:
    words = {lib.AKIN_CONVERGED: "converged", lib.AKIN_STEP_LIMIT: "step limit",
             lib.AKIN_STALLED: "stalled"}
    return LearnInfo(words[info.outcome], info.examples, info.updates,
                     info.iterations, info.loss, info.objective, info.seconds)


def verdict_of(v: Any) -> Verdict:
    return Verdict(optional(lib.akin_verdict_text(v.word)),
                   optional(v.measure), v.held_out, v.held_out_se,
                   optional(v.baseline_measure), v.baseline, v.baseline_se,
                   v.difference, v.difference_se, v.queries, optional(v.fell),
                   optional(v.reason), optional(v.plain_measure),
                   text(v.plain_recipe), v.plain, v.kept)


class _Output:
    """Standard error, for tqdm: an exception on the way would leave the lock
    that all bars share locked. It is kept instead."""

    def __init__(self) -> None:
        self.to = sys.stderr
        self.raised: Exception | None = None

    def write(self, text: str) -> int:
        if self.raised is None:
            try:
                self.to.write(text)
            except Exception as e:
                self.raised = e
        return len(text)

    def flush(self) -> None:
        if self.raised is None:
            try:
                self.to.flush()
            except Exception as e:
                self.raised = e

    def __getattr__(self, name: str) -> Any:
        return getattr(self.to, name)


class Bar:
    """Progress as a bar of tqdm. A run that goes on when the bar is closed is
    one that nobody waits for: it is cancelled."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.closed = False
        self.bar: Any = None
        self.output = _Output()

    def __call__(self, what: str, done: int, total: int, loss: float) -> bool:
        if self.closed:
            return True
        if self.bar is None or self.bar.unit != " " + what:
            from tqdm.auto import tqdm
            if self.bar is not None:
                self.bar.close()
            self.bar = tqdm(desc=self.name, unit=" " + what,
                            total=total or None, file=self.output)
        self.bar.update(done - self.bar.n)
        if math.isfinite(loss):
            self.bar.set_postfix(loss=f"{loss:.4g}", refresh=False)
        if self.output.raised is not None:
            raise self.output.raised
        return False

    def close(self) -> None:
        """Leave the bar as it is."""
        self.closed = True
        if self.bar is not None:
            self.bar.close()


def bar_of(name: str, verbose: int) -> Bar | None:
    """A bar, where one is wanted and tqdm is installed."""
    if not verbose or importlib.util.find_spec("tqdm") is None:
        return None
    return Bar(name)
