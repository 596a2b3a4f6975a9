"""Memory of the library as arrays and bytes."""
from __future__ import annotations

from typing import Any

import numpy as np

from akin._core import Context, ffi, lib


class _Taken:
    """Memory that the library gave away; freed when no array uses it."""

    def __init__(self, pointer: Any, shape: tuple[int, ...],
                 dtype: Any) -> None:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        self.owner = ffi.gc(pointer, lib.akin_free, size)
        self.__array_interface__ = {
            "version": 3, "shape": shape, "typestr": np.dtype(dtype).str,
            "data": (int(ffi.cast("uintptr_t", pointer)), False)}


def taken(pointer: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """An array over memory that the library gave away, without a copy."""
    held = _Taken(pointer, shape, dtype)
    return np.empty(shape, dtype) if 0 in shape else np.asarray(held)


def file_in_memory(function: Any, thing: Any) -> bytes:
    """The bytes that a file of a model, an index or a recipe would have."""
    out, size = ffi.new("uint8_t **"), ffi.new("size_t *")
    with Context() as ctx:
        ctx.check(function(out, size, ctx.handle, thing))
        try:
            return bytes(ffi.buffer(out[0], size[0]))
        finally:
            lib.akin_free(out[0])
