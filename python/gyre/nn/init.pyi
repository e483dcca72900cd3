# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def calculate_gain(nonlinearity: Any, param: Any = None) -> Any:
    """The factor of the standard deviation for layers followed by this nonlinearity; `param` is the
    negative slope of leaky_relu, 0.01 by default.
    """
def dirac_(tensor: Any, groups: Any = 1) -> Any:
    """Kernel [out, in, ...] of a convolution that keeps its channels: 1 at the centre, in each group of
    output channels.
    """
def eye_(tensor: Any) -> Any:
    """Identity matrix; the tensor has 2 axes."""
def kaiming_normal_(tensor: Any, a: Any = 0, mode: Any = 'fan_in', nonlinearity: Any = 'leaky_relu', generator: Any = None) -> Any:
    """Kaiming (He) normal initialisation: standard deviation gain / sqrt(fan), with the gain of the
    nonlinearity; `a` is the slope of leaky_relu, `mode` fan_in or fan_out (He et al. 2015).
    """
def kaiming_uniform_(tensor: Any, a: Any = 0, mode: Any = 'fan_in', nonlinearity: Any = 'leaky_relu', generator: Any = None) -> Any:
    """Kaiming (He) uniform initialisation: standard deviation gain / sqrt(fan), with the gain of the
    nonlinearity; `a` is the slope of leaky_relu, `mode` fan_in or fan_out (He et al. 2015).
    """
def sparse_(tensor: Any, sparsity: Any, std: Any = 0.01, generator: Any = None) -> Any:
    """Sparse initialisation: N(0, std^2), with the fraction `sparsity` of each column set to 0 (Martens
    2010).
    """
def xavier_normal_(tensor: Any, gain: Any = 1.0, generator: Any = None) -> Any:
    """Xavier (Glorot) normal initialisation: standard deviation gain sqrt(2 / (fan_in + fan_out))
    (Glorot and Bengio 2010).
    """
def xavier_uniform_(tensor: Any, gain: Any = 1.0, generator: Any = None) -> Any:
    """Xavier (Glorot) uniform initialisation: standard deviation gain sqrt(2 / (fan_in + fan_out))
    (Glorot and Bengio 2010).
    """
def zeros(shape: object) -> object: ...
def zeros_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of zeros; returns the tensor."""
def ones(shape: object) -> object: ...
def ones_(tensor: Any, *args: Any, **kwargs: Any) -> Any:
    """In-place version of ones; returns the tensor."""
def constant(shape: object, value: float) -> object: ...
def constant_(tensor: Any, val: Any) -> Any:
    """Fills the tensor with `val`."""
def normal(shape: object, deviation: float = 1.0) -> object:
    """Normal initialisation: N(0, deviation^2)."""
def normal_(tensor: Any, mean: Any = 0.0, std: Any = 1.0, generator: Any = None) -> Any:
    """Normal initialisation: N(mean, std^2)."""
def uniform(shape: object, bound: float = 1.0) -> object:
    """Uniform initialisation in [-bound, bound)."""
def uniform_(tensor: Any, a: Any = 0.0, b: Any = 1.0, generator: Any = None) -> Any:
    """Uniform initialisation in [a, b)."""
def trunc_normal(shape: object, deviation: float = 1.0, bound: float = 2.0) -> object:
    """Truncated normal initialisation: N(0, deviation^2) restricted to `bound` standard deviations from
    0.
    """
def trunc_normal_(tensor: Any, mean: Any = 0.0, std: Any = 1.0, a: Any = -2.0, b: Any = 2.0, generator: Any = None) -> Any:
    """Truncated normal initialisation: N(mean, std^2) restricted to [a, b]."""
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
def orthogonal_(tensor: Any, gain: Any = 1.0, generator: Any = None) -> Any:
    """Orthogonal initialisation: gain times a matrix [out, in ...] with orthonormal rows, or columns if
    there are fewer columns (Saxe et al. 2014).
    """
