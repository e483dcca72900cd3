# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def assert_allclose(actual: Any, desired: Any, rtol: Any = 1e-07, atol: Any = 0, equal_nan: Any = True, err_msg: Any = '', verbose: Any = True) -> Any:
    """AssertionError unless |actual - desired| <= atol + rtol |desired| for all elements."""
def assert_almost_equal(actual: Any, desired: Any, decimal: Any = 7, err_msg: Any = '', verbose: Any = True) -> Any:
    """AssertionError unless |actual - desired| < 1.5 * 10 ** -decimal for all elements."""
def assert_array_almost_equal(actual: Any, desired: Any, decimal: Any = 6, err_msg: Any = '', verbose: Any = True) -> Any:
    """AssertionError unless |actual - desired| < 1.5 * 10 ** -decimal for all elements."""
def assert_array_equal(actual: Any, desired: Any, err_msg: Any = '', verbose: Any = True) -> Any:
    """AssertionError unless shapes and all elements are equal; NaN equals NaN, and a number all
    elements.
    """
def assert_array_less(x: Any, y: Any, err_msg: Any = '', verbose: Any = True) -> Any:
    """AssertionError unless x < y for all elements."""
def assert_equal(actual: Any, desired: Any, err_msg: Any = '', verbose: Any = True) -> Any:
    """AssertionError unless both are equal: arrays, numbers, or lists, tuples and dicts of these."""
