# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def broadcast_arrays(*args: Any, subok: Any = False) -> Any:
    """Views of the arrays broadcast to their common shape, as a tuple."""
def broadcast_shapes(*args: Any) -> Any:
    """The shape to which arrays of these shapes broadcast."""
def broadcast_to(array: Any, shape: Any, subok: Any = False) -> Any:
    """View broadcast to a shape."""
def sliding_window_view(x: Any, window_shape: Any, axis: Any = None) -> Any:
    """View of all windows of a shape, as new last axes; over axes, or over as many as the window has.
    """
