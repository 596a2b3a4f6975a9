"""Models of files, as estimators of their learner."""
from __future__ import annotations

import os
from typing import Any

from akin import _core, _learners
from akin._auto import AutoSimilarity
from akin._core import Context, call, lib, text


def load(path: str | os.PathLike[str]) -> Any:
    """The estimator of a file that `save` or `akin train` wrote: of the class
    of its learner, or an AutoSimilarity for a plain measure."""
    with Context() as ctx:
        model = call(ctx, lib.akin_model_load, "akin_model",
                     lib.akin_model_free, _core.path_bytes(path))
    learner = text(lib.akin_model_learner(model))
    for name in _learners.__all__:
        kind = getattr(_learners, name)
        if kind._learner == learner:
            return kind._of_model(model)
    return AutoSimilarity._of_model(model)
