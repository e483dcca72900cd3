# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def zeros(shape: object) -> object: ...
def zeros_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of zeros; gives the tensor."""
def ones(shape: object) -> object: ...
def ones_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of ones; gives the tensor."""
def constant(shape: object, value: float) -> object: ...
def constant_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of constant; gives the tensor."""
def normal(shape: object, deviation: float = 1.0) -> object:
    """Independent N(0, deviation^2)."""
def normal_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of normal; gives the tensor."""
def uniform(shape: object, bound: float = 1.0) -> object:
    """Independent and uniform in [-bound, bound)."""
def uniform_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of uniform; gives the tensor."""
def trunc_normal(shape: object, deviation: float = 1.0, bound: float = 2.0) -> object:
    """Independent N(0, deviation^2) without what is more than `bound` deviations from 0."""
def trunc_normal_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of trunc_normal; gives the tensor."""
def xavier(shape: object, gain: float = 1.0) -> object:
    """Uniform with deviation gain sqrt(2 / (in + out)) (Glorot and Bengio 2010)."""
def xavier_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of xavier; gives the tensor."""
def he(shape: object, gain: float = 1.4142135623730951, backward: bool = False) -> object:
    """Normal with deviation gain / sqrt(fan), the fan of the inputs or, `backward`, of the outputs;
    gain sqrt(2) suits relu (He et al. 2015).
    """
def he_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of he; gives the tensor."""
def orthogonal(shape: object, gain: float = 1.0) -> object:
    """gain times a matrix [out, in ...] whose rows or, if there are fewer, columns are orthonormal
    (Saxe et al. 2014).
    """
def orthogonal_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """Sets the values of a tensor to those of orthogonal; gives the tensor."""
