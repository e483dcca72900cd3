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
    """In-place version of zeros; returns the tensor."""
def ones(shape: object) -> object: ...
def ones_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of ones; returns the tensor."""
def constant(shape: object, value: float) -> object: ...
def constant_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of constant; returns the tensor."""
def normal(shape: object, deviation: float = 1.0) -> object:
    """Normal initialisation: N(0, deviation^2)."""
def normal_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of normal; returns the tensor."""
def uniform(shape: object, bound: float = 1.0) -> object:
    """Uniform initialisation in [-bound, bound)."""
def uniform_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of uniform; returns the tensor."""
def trunc_normal(shape: object, deviation: float = 1.0, bound: float = 2.0) -> object:
    """Truncated normal initialisation: N(0, deviation^2) restricted to `bound` standard deviations from
    0.
    """
def trunc_normal_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of trunc_normal; returns the tensor."""
def xavier(shape: object, gain: float = 1.0) -> object:
    """Xavier (Glorot) uniform initialisation, with standard deviation gain sqrt(2 / (fan_in + fan_out))
    (Glorot and Bengio 2010).
    """
def xavier_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of xavier; returns the tensor."""
def he(shape: object, gain: float = 1.4142135623730951, backward: bool = False) -> object:
    """Kaiming (He) normal initialisation with standard deviation gain / sqrt(fan_in), or fan_out if
    `backward`. gain sqrt(2) is for ReLU (He et al. 2015).
    """
def he_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of he; returns the tensor."""
def orthogonal(shape: object, gain: float = 1.0) -> object:
    """Orthogonal initialisation: gain times a matrix [out, in ...] with orthonormal rows, or columns if
    there are fewer columns (Saxe et al. 2014).
    """
def orthogonal_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of orthogonal; returns the tensor."""
