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
def digamma(x: TensorLike) -> Tensor:
    """derivative of lgamma"""
def entr(input: Any) -> Tensor:
    """-x log(x): 0 at 0, minus infinity below."""
def erf(x: TensorLike) -> Tensor:
    """error function"""
def erfc(x: TensorLike) -> Tensor:
    """complementary error function: 1 - erf(x)"""
def erfinv(x: TensorLike) -> Tensor:
    """inverse error function: erf(erfinv(x)) = x, -1 < x < 1"""
def exp2(x: TensorLike) -> Tensor:
    """2^x"""
def expit(x: TensorLike) -> Tensor:
    """logistic sigmoid: 1 / (1 + e^-x)"""
def expm1(x: TensorLike) -> Tensor:
    """e^x - 1, accurate near 0"""
def gammaln(x: TensorLike) -> Tensor:
    """logarithm of the absolute value of the gamma function"""
def log1p(x: TensorLike) -> Tensor:
    """log(1 + x), accurate near 0"""
def log_softmax(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """x - log sum e^x along dim; `dtype`: cast the input first."""
def logit(input: Any, eps: Any = None) -> Tensor:
    """Inverse of the logistic function: log(x / (1 - x)), of x clamped to [eps, 1 - eps]."""
def logsumexp(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """log-sum-exp over axes: log sum e^x"""
def multigammaln(input: Any, p: Any) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension p."""
def ndtr(input: Any) -> Tensor:
    """Distribution function of the standard normal distribution."""
def polygamma(n: Any, input: Any) -> Tensor:
    """The n-th derivative of digamma, n >= 0."""
def psi(x: TensorLike) -> Tensor:
    """derivative of lgamma"""
def round(input: Any, decimals: Any = 0) -> Tensor:
    """x rounded to the nearest multiple of 10 ** -decimals, ties to even."""
def sinc(input: Any) -> Tensor:
    """sin(pi x) / (pi x), and 1 at 0."""
def softmax(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """e^x / sum e^x along dim; `dtype`: cast the input first."""
def xlog1py(input: Any, other: Any) -> Tensor:
    """x log1p(y), and 0 where x is 0 and y is not NaN."""
def xlogy(input: Any, other: Any) -> Tensor:
    """x log(y), and 0 for x = 0 unless y is NaN."""
def zeta(s: TensorLike, q: TensorLike) -> Tensor:
    """Hurwitz zeta function: the sum of (q + k)^-s over k = 0, 1, ..."""
