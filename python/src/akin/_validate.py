"""Checks of what users hand in, with the words that scikit-learn uses.

scikit-learn itself is imported only to raise its own kinds of exceptions.
"""
from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from akin._core import ffi, is_sparse, lib, text, to_csr


class _NotFitted(ValueError, AttributeError):
    """Where there is no scikit-learn."""


def not_fitted(estimator: object) -> Exception:
    """scikit-learn's NotFittedError where it is installed."""
    message = (f"This {type(estimator).__name__} instance is not fitted yet. "
               "Call 'fit' with appropriate arguments before using this "
               "estimator.")
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return _NotFitted(message)
    made: Exception = NotFittedError(message)
    return made


def column_names(X: Any) -> np.ndarray[Any, Any] | None:
    """The names of the columns of a DataFrame, if all of them are strings."""
    columns = getattr(X, "columns", None)
    if columns is None or is_sparse(X):
        return None
    names = np.asarray(columns, dtype=object)
    kinds = {type(n) for n in names}
    if kinds == {str}:
        return names
    if str in kinds:
        raise TypeError(
            "Feature names are only supported if all input features have "
            "string names, but your input has "
            f"{sorted(k.__qualname__ for k in kinds)} as feature name / column "
            "name types. If you want feature names to be stored and validated, "
            "you must convert them all to strings, by using X.columns = "
            "X.columns.astype(str) for example.")
    return None


def check_names(estimator: Any, names: Any) -> None:
    """The names of the columns must be those that were fitted."""
    known = getattr(estimator, "feature_names_in_", None)
    if known is None and names is None:
        return
    if known is None:
        warnings.warn("X has feature names, but "
                      f"{type(estimator).__name__} was fitted without feature "
                      "names", stacklevel=4)
        return
    if names is None:
        warnings.warn("X does not have valid feature names, but "
                      f"{type(estimator).__name__} was fitted with feature "
                      "names", stacklevel=4)
        return
    _same_names(known, names)


def known_names(model: Any, side: int) -> np.ndarray[Any, Any] | None:
    """The names of the columns of a model's rows, if it knows all of them."""
    recipe = lib.akin_model_recipe(model, side)
    if recipe == ffi.NULL:
        return None
    names = []
    for j in range(lib.akin_recipe_dim(recipe)):
        name = lib.akin_recipe_column_name(recipe, j)
        if name == ffi.NULL or lib.akin_recipe_column(recipe, j) != j:
            return None
        names.append(text(name))
    return np.array(names, dtype=object)


def check_columns(model: Any, X: Any, side: int) -> None:
    """Columns that have names must have those that the model knows."""
    names = column_names(X)
    known = None if names is None else known_names(model, side)
    if known is not None:
        _same_names(known, names)


def _same_names(known: Any, names: Any) -> None:
    if len(known) == len(names) and np.all(known == names):
        return
    message = ("The feature names should match those that were passed during "
               "fit.\n")
    unseen = sorted(set(names) - set(known))
    missing = sorted(set(known) - set(names))
    for title, some in (("Feature names unseen at fit time:\n", unseen),
                        ("Feature names seen at fit time, yet now missing:\n",
                         missing)):
        if some:
            message += title + "".join(f"- {n}\n" for n in some[:5])
            message += "- ...\n" if len(some) > 5 else ""
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in " \
            "fit.\n"
    raise ValueError(message)


def to_numbers(X: Any, name: str, verbose: int = 0) -> Any:
    """A float32 array in C order, or a CSR matrix of float32. That they are
    finite is checked when they become rows."""
    if is_sparse(X):
        if X.dtype.kind == "c":
            raise ValueError(f"Complex data not supported\n{X}\n")
        made = to_csr(X, name)
        if made.dtype != np.float32:
            with np.errstate(over="ignore"):
                values = made.data.astype(np.float32)
            made = type(made)((values, made.indices, made.indptr),
                              shape=made.shape)
        if made is not X and verbose > 1:
            print(f"akin: {name} is converted to CSR of float32",
                  file=sys.stderr)
    else:
        if isinstance(X, np.ma.MaskedArray) and np.any(X.mask):
            raise ValueError(f"Input {name} has masked values: fill them in, "
                             "or leave their rows out.")
        array = np.asarray(X)
        if array.dtype.kind == "c":
            raise ValueError(f"Complex data not supported\n{array}\n")
        if array.dtype.kind in "mM":
            raise TypeError(f"{name} has dates or times: argument must be a "
                            "string or a number")
        if array.dtype.kind in "USV" or (array.dtype.kind == "O" and
                                         _has_text(array)):
            raise ValueError(f"could not convert {name} to numbers: "
                             f"{_where_text(X, array)} has text")
        try:
            with np.errstate(over="ignore"):
                made = np.ascontiguousarray(array, dtype=np.float32)
        except TypeError as e:
            if _has_missing(array):
                raise ValueError(f"Input {name} contains NaN.") from None
            raise TypeError(f"argument must be a string or a number: {e}") \
                from None
        if array.ndim == 0:
            raise ValueError(f"Expected 2D array, got scalar array instead:\n"
                             f"array={array}.")
        if made is not array and verbose > 1:
            print(f"akin: {name} is converted to float32 in C order",
                  file=sys.stderr)
    return made


def _has_text(array: Any) -> bool:
    return any(isinstance(x, str) for x in array.flat)


def _where_text(X: Any, array: Any) -> str:
    """The first column with text."""
    names = getattr(X, "columns", None)
    if array.ndim != 2 or array.dtype.kind != "O":
        return "it"
    at = next(j for j in range(array.shape[1]) if _has_text(array[:, j]))
    return f"column {at if names is None else repr(names[at])}"


def _has_missing(array: Any) -> bool:
    """Whether there is an NA of pandas, which need not be loaded, or a NaN."""
    missing = getattr(sys.modules.get("pandas"), "NA", None)
    return any((missing is not None and x is missing) or
               (isinstance(x, float) and x != x) for x in array.flat)


def check_rows(X: Any, estimator: Any, name: str = "X", least: int = 1,
               verbose: int = 0) -> Any:
    """Rows to learn from or to work on: a float32 array, or CSR."""
    made = to_numbers(X, name, verbose)
    if made.ndim == 1:
        raise ValueError(
            f"Expected 2D array, got 1D array instead:\narray={made}.\nReshape "
            "your data either using array.reshape(-1, 1) if your data has a "
            "single feature or array.reshape(1, -1) if it contains a single "
            "sample.")
    if made.ndim != 2:
        raise ValueError(f"Found array with dim {made.ndim}. "
                         f"{type(estimator).__name__} expected <= 2.")
    n, d = made.shape
    if n < least:
        raise ValueError(f"Found array with {n} sample(s) (shape={made.shape}) "
                         f"while a minimum of {least} is required"
                         f" by {type(estimator).__name__}.")
    if d < 1:
        raise ValueError(f"Found array with 0 feature(s) (shape={made.shape}) "
                         "while a minimum of 1 is required.")
    return made


def check_width(X: Any, estimator: Any, expected: int, name: str = "X") -> None:
    """As many columns as were fitted."""
    if X.shape[1] != expected:
        raise ValueError(f"{name} has {X.shape[1]} features, but "
                         f"{type(estimator).__name__} is expecting {expected} "
                         "features as input.")


def check_labels(y: Any, n: int, name: str = "y") -> Any:
    """One label a row, of any kind that can be compared."""
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        _warn_conversion()
        y = y.ravel()
    if y.ndim != 1:
        raise ValueError(f"{name} should be a 1d array, got an array of shape "
                         f"{y.shape} instead.")
    if len(y) != n:
        raise ValueError("Found input variables with inconsistent numbers of "
                         f"samples: {[n, len(y)]}")
    if y.dtype.kind == "f":
        if np.isnan(y).any():
            raise ValueError(f"Input {name} contains NaN.")
        if not np.isfinite(y).all():
            raise ValueError(f"Input {name} contains infinity or a value too "
                             "large for dtype('float64').")
        if (y != np.floor(y)).any():
            raise ValueError("Unknown label type: 'continuous'. Labels are "
                             "whole numbers or text")
    elif y.dtype.kind == "O" and _has_missing(y):
        raise ValueError(f"Input {name} contains NaN.")
    elif y.dtype.kind == "O" and len({type(x) for x in y}) > 1:
        raise TypeError(f"{name} has labels of several types: "
                        f"{', '.join(sorted({type(x).__name__ for x in y}))}")
    elif y.dtype.kind == "c":
        raise ValueError("Unknown label type: 'complex'")
    return y


def _warn_conversion() -> None:
    try:
        from sklearn.exceptions import DataConversionWarning as kind
    except ImportError:
        kind = UserWarning
    warnings.warn("A column-vector y was passed when a 1d array was expected. "
                  "Please change the shape of y to (n_samples,), for example "
                  "using ravel().", kind, stacklevel=4)


def check_examples(examples: Any, width: int, name: str) -> Any:
    """Row numbers, `width` to an example."""
    made = np.asarray(examples)
    if made.ndim != 2 or made.shape[1] != width:
        raise ValueError(f"{name} must have the shape (n, {width}), got "
                         f"{made.shape}")
    if made.dtype.kind not in "iu":
        if made.dtype.kind != "f" or (made != np.floor(made)).any():
            raise ValueError(f"{name} must be row numbers")
    if len(made) == 0:
        raise ValueError(f"there are no {name}")
    return np.ascontiguousarray(made, dtype=np.int64)


def check_option(option: Any, name: str, value: Any) -> None:
    """The value of an option of a learner is of its kind. The library checks
    ranges and words."""
    if option.type == lib.AKIN_STRING or \
            isinstance(value, str) and value == text(option.zero):
        return
    is_whole = option.type == lib.AKIN_I64
    is_switch = is_whole and option.min == 0 and option.max == 1
    kinds: tuple[type, ...] = (int, np.integer) if is_whole else \
        (int, float, np.integer, np.floating)
    if not isinstance(value, kinds) or isinstance(value, bool) and \
            not is_switch:
        raise ValueError(f"{name} is {value!r} (expected a "
                         f"{'whole ' if is_whole else ''}number)")


def seed_of(random_state: Any) -> int | None:
    """The seed that a random_state stands for; None: the library's own."""
    if random_state is None:
        return None
    if isinstance(random_state, (int, np.integer)):
        if not 0 <= random_state < 2 ** 63:
            raise ValueError(f"random_state is {random_state} (expected 0 to "
                             "2**63 - 1)")
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2 ** 31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2 ** 31 - 1))
    raise ValueError(f"{random_state!r} cannot be used to seed a "
                     "numpy.random.RandomState instance")
