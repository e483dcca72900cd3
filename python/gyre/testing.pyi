# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def assert_close(actual: Any, expected: Any, *, allow_subclasses: Any = True, rtol: Any = None, atol: Any = None, equal_nan: Any = False, check_device: Any = True, check_dtype: Any = True, check_layout: Any = True, check_stride: Any = False, msg: Any = None) -> Any:
    """AssertionError unless tensors or numbers, or sequences and dicts of them, have equal shapes and
    dtypes and |actual - expected| <= atol + rtol |expected|. The tolerances are by default those of
    PyTorch for the dtype, and 0 for integers. `msg` replaces the message, or makes one of it if it is a
    function.
    """
