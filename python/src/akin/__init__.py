"""Learn what similar means, then search, match and name by it."""
from akin import metrics
from akin._auto import AutoSimilarity, compare
from akin._collection import Collection, Hit, Item, Version
from akin._core import (AbsentError, AkinWarning, BusyError, CancelledError,
                        DeniedError, Error, FolderError, FormatError,
                        InputOutputError, InvalidError, MissingFileError,
                        NoSpaceError, NotConvergedWarning, NotFolderError,
                        NumericError, OutOfMemoryError, ShapeError)
from akin._core import lib as _lib, text as _text
from akin._index import Index
from akin._io import Rows, read, write
from akin._learners import *
from akin._learners import __all__ as _classes
from akin._load import load
from akin._naming import NamedFaces, name_faces
from akin._results import LearnInfo, Threshold, Verdict, WorseWarning

__version__ = _text(_lib.akin_version())
__all__ = [
    "AbsentError", "AkinWarning", "AutoSimilarity", "BusyError",
    "CancelledError", "Collection", "DeniedError", "Error", "FolderError",
    "FormatError", "Hit", "Index", "InputOutputError", "InvalidError", "Item",
    "LearnInfo", "MissingFileError", "NamedFaces", "NoSpaceError",
    "NotConvergedWarning", "NotFolderError", "NumericError",
    "OutOfMemoryError", "Rows", "ShapeError", "Threshold", "Verdict",
    "Version", "WorseWarning", "__version__", "compare", "load", "metrics",
    "name_faces", "read", "write",
]
__all__ += _classes
