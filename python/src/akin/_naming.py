"""Names for faces, from the captions of photos."""
from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from akin import _core, _validate
from akin._core import Context, call, ffi, lib, long_call, text


class NamedFaces(NamedTuple):
    """What `name_faces` says of each row."""
    names: Any
    """The name of each face; None: none of its caption, or in no photo."""
    confidences: Any
    """What any other name for the face would lose; NaN in no photo."""
    probabilities: Any
    """How likely the name, or that it has none, is right; NaN in no photo."""
    ratio: float
    """The share of faces that have a name, as estimated,"""
    ratio_error: float
    """and how far that may be off, as a standard error."""


def name_faces(X: Any, captions: Iterable[Any], *, method: str = "fused",
               options: Mapping[str, Any] | None = None,
               confirmed: Mapping[int, str | None] | None = None,
               theta: float | None = None, named_count: int | None = None,
               real_name_ratio: float | None = None, quality: Any = None,
               scale: str = "none", norm: str = "none",
               random_state: Any = None, n_jobs: int | None = None,
               verbose: int = 0) -> NamedFaces:
    """Give each face a name of its photo's caption, or none.

    X : a row for each face
    captions : (faces, names) of each photo: the numbers of its rows, and the
        names in its caption; or (photo, faces, names)
    method : a learner that names faces: "fused", "rlrr", "mildml", ...
    options : its options by name
    confirmed : what a person said: the name of a face, None for none of the
        caption
    theta, named_count, real_name_ratio : one of them: the score that a name
        must reach, how many faces to name, or which share of them
    quality : how good the picture of each face is, above 0 to 1
    scale, norm : what is done to rows before, as for estimators

    >>> import numpy as np
    >>> X = np.repeat(np.eye(2, dtype="float32"), 4, axis=0)
    >>> photos = [([0], ["Ann"]), ([1, 4], ["Ann", "Bob"]), ([5], ["Bob"]),
    ...           ([2], ["Ann"]), ([3, 6], ["Bob", "Ann"]), ([7], ["Bob"])]
    >>> name_faces(X, photos).names[[1, 4]].tolist()
    ['Ann', 'Bob']
    """
    rows = _validate.check_rows(X, name_faces)
    n = rows.shape[0]
    lines = caption_lines(captions)
    with Context(n_jobs, _validate.seed_of(random_state), None, verbose) as ctx:
        known = _known(ctx, rows, lines, scale, norm)
        said = _said(ctx, known, confirmed)
        naming = long_call(ctx, lib.akin_naming_learn, "akin_naming",
                           lib.akin_naming_free, _options(ctx, method, options),
                           known, said)
        if quality is not None:
            weights = np.ascontiguousarray(quality, dtype=np.float64)
            if weights.shape != (n,):
                raise ValueError(f"quality has the shape {weights.shape} "
                                 f"(expected ({n},))")
            ctx.check(lib.akin_naming_set_quality(
                ctx.handle, naming, ffi.from_buffer("double[]", weights)))
        estimate = long_call(ctx, lib.akin_naming_estimate, "akin_estimate",
                             lib.akin_estimate_free, naming, said)
        o = ffi.new("akin_names_options *", lib.akin_default_names)
        o.theta = math.nan if theta is None else theta
        o.named_count = -1 if named_count is None else named_count
        o.real_name_ratio = math.nan if real_name_ratio is None \
            else real_name_ratio
        o.confirmed, o.estimate = said, estimate
        return _names(ctx, naming, estimate, said, o, n)


def _names(ctx: Context, naming: Any, estimate: Any, said: Any, o: Any,
           n: int) -> NamedFaces:
    numbers = np.empty(n, dtype=np.int32)
    confidences, probabilities = np.empty(n), np.empty(n)
    ctx.kept.append((numbers, confidences, probabilities))
    info = ffi.new("akin_names_info *")
    as_numbers = ffi.from_buffer("int32_t[]", numbers)
    ctx.check(ctx.run(lib.akin_naming_names, as_numbers,
                      ffi.from_buffer("double[]", confidences), ctx.handle,
                      naming, o, info))
    ctx.check(ctx.run(lib.akin_estimate_probabilities,
                      ffi.from_buffer("double[]", probabilities), ctx.handle,
                      estimate, naming, as_numbers, said))
    names = np.array([text(lib.akin_naming_name(naming, k)) if k >= 0 else None
                      for k in numbers.tolist()], dtype=object)
    confidences[numbers == lib.AKIN_IN_NO_PHOTO] = np.nan
    error = ffi.new("double *")
    ratio = lib.akin_estimate_ratio(error, estimate)
    return NamedFaces(names, confidences, probabilities, ratio, error[0])


def caption_lines(captions: Iterable[Any]) -> str:
    """Captions as the library reads them: JSON lines."""
    lines = []
    for i, caption in enumerate(captions):
        photo, faces, names = (str(i), *caption) if len(caption) == 2 \
            else caption
        if isinstance(faces, str) or not isinstance(faces, Iterable):
            raise TypeError(f"caption {i}: faces are {faces!r} (expected a "
                            "list of row numbers)")
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise TypeError(f"caption {i}: names are {names!r} (expected a "
                            "list of texts)")
        names = list(names)
        if not all(isinstance(s, str) for s in names):
            raise TypeError(f"caption {i}: names are {names!r} (expected "
                            "texts)")
        lines.append(json.dumps({"photo": str(photo),
                                 "faces": [int(f) for f in faces],
                                 "names": names}))
    return "".join(line + "\n" for line in lines)


def _known(ctx: Context, rows: Any, lines: str, scale: str, norm: str) -> Any:
    o = ffi.new("akin_recipe_options *", lib.akin_default_recipe)
    words = [ffi.new("char[]", _core.encoded(word))
             for word in (scale, norm)]
    o.scale, o.norm = words
    raw = _core.rows_of(ctx, rows)
    recipe = call(ctx, lib.akin_recipe_fit, "akin_recipe",
                  lib.akin_recipe_free, raw, o)
    prepared = call(ctx, lib.akin_recipe_apply, "akin_rows",
                    lib.akin_rows_free, recipe, raw)
    known = call(ctx, lib.akin_supervision_new, "akin_supervision",
                 lib.akin_supervision_free, prepared, ffi.NULL, recipe)
    ctx.check(lib.akin_supervision_captions(ctx.handle, known, b"captions",
                                            lines.encode()))
    return known


def _options(ctx: Context, method: str,
             options: Mapping[str, Any] | None) -> Any:
    info = lib.akin_learner_find(_core.encoded(method))
    if info == ffi.NULL or not info.names_faces:
        raise ValueError(f"method is {method!r} (expected one of "
                         f"{', '.join(_methods())})")
    made = call(ctx, lib.akin_options_new, "akin_options",
                lib.akin_options_free, method.encode())
    for name, value in (options or {}).items():
        word = ffi.new("char[]", _core.encoded(str(value)))
        ctx.kept.append(word)
        ctx.check(lib.akin_options_set(ctx.handle, made,
                                       _core.encoded(name), word))
    return made


def _methods() -> list[str]:
    found, i = [], 0
    while (info := lib.akin_learner_at(i)) != ffi.NULL:
        if info.names_faces:
            found.append(text(info.name))
        i += 1
    return found


def _said(ctx: Context, known: Any,
          confirmed: Mapping[int, str | None] | None) -> Any:
    if not confirmed:
        return ffi.NULL
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["face", "name"])
    for face, name in confirmed.items():
        writer.writerow([int(face), name or ""])
    return call(ctx, lib.akin_face_names_said, "akin_face_names",
                lib.akin_face_names_free, known, b"confirmed",
                _core.encoded(out.getvalue()))
