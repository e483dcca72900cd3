# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def hessian(func: Any, inputs: Any, create_graph: Any = False, strict: Any = False, vectorize: Any = False, outer_jacobian_strategy: Any = 'reverse-mode') -> Any:
    """The Hessian of a scalar func at a tensor, or its blocks, a tuple of tuples, at a tuple of
    tensors.
    """
def hvp(func: Any, inputs: Any, v: Any, create_graph: Any = False, strict: Any = False) -> Any:
    """The scalar result of func and its Hessian times v."""
def jacobian(func: Any, inputs: Any, create_graph: Any = False, strict: Any = False, vectorize: Any = False, strategy: Any = 'reverse-mode') -> Any:
    """The Jacobian of func at a tensor, or those at a tuple of them."""
def jvp(func: Any, inputs: Any, v: Any, create_graph: Any = False, strict: Any = False) -> Any:
    """The result of func and its directional derivative along v."""
def vhp(func: Any, inputs: Any, v: Any, create_graph: Any = False, strict: Any = False) -> Any:
    """The scalar result of func and v times its Hessian, which is symmetric."""
def vjp(func: Any, inputs: Any, v: Any = None, create_graph: Any = False, strict: Any = False) -> Any:
    """The result of func and the gradient of (result * v).sum()."""
