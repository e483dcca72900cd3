# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Function:
    """Base class of functions with a gradient of their own: static methods forward(ctx, *args) and
    backward(ctx, *cotangents), called by apply(*args).
    """
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any: ...
    @staticmethod
    def apply(*args: Any) -> Any:
        """Calls forward; autograd calls backward."""
def once_differentiable(function: Any) -> Any:
    """The backward function as it is: gradients of its results are those of its ops."""
