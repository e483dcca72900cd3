# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

from gyre._gyre import Tensor
def entr(input: Any) -> Any:
    """Entropy -x log(x): 0 for x = 0, -infinity for negative x."""
def erf(x: TensorLike) -> Tensor:
    """error function"""
def erfc(x: TensorLike) -> Tensor:
    """complementary error function: 1 - erf(x)"""
def exp2(x: TensorLike) -> Tensor:
    """2^x"""
def expit(x: TensorLike) -> Tensor:
    """logistic sigmoid: 1 / (1 + e^-x)"""
def expm1(x: TensorLike) -> Tensor:
    """e^x - 1, accurate near 0"""
def log1p(x: TensorLike) -> Tensor:
    """log(1 + x), accurate near 0"""
def log_softmax(x: Any, axis: Any = -1) -> Tensor:
    """log-softmax along an axis: x - log sum e^x"""
def logit(input: Any, eps: Any = None) -> Tensor:
    """Inverse of the logistic function: log(x / (1 - x)), of x clamped to [eps, 1 - eps]."""
def logsumexp(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """log-sum-exp over axes: log sum e^x"""
def ndtr(input: Any) -> Any:
    """Standard normal distribution function."""
def round(input: Any, decimals: Any = 0) -> Tensor:
    """x rounded to the nearest multiple of 10 ** -decimals, ties to even."""
def sinc(input: Any) -> Tensor:
    """sin(pi x) / (pi x), and 1 at 0."""
def softmax(x: Any, axis: Any = -1) -> Tensor:
    """softmax along an axis: e^x / sum e^x"""
def xlog1py(input: Any, other: Any) -> Any:
    """x log(1 + y), and 0 for x = 0 unless y is NaN."""
def xlogy(input: Any, other: Any) -> Tensor:
    """x log(y), and 0 for x = 0 unless y is NaN."""
