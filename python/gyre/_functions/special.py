"""Special functions by their ops."""

import reprlib

import math

from gyre import _gyre
from gyre._gyre import asarray


def polygamma(n, input):
    """The n-th derivative of digamma, n >= 0."""
    n = _order_of(n)
    if n < 0:
        raise ValueError(f"polygamma: expected n of 0 or more, got {n}")
    if n == 0:
        return _gyre.digamma(input)
    return _gyre.zeta(n + 1.0, input) * (float(math.factorial(n)) * (1 if n % 2 else -1))


def _order_of(n):
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"polygamma: expected n that is an int, got {type(n).__name__}")
    return n


def multigammaln(input, p):
    """Logarithm of the multivariate gamma function of dimension p."""
    if isinstance(p, bool) or not isinstance(p, int) or p < 1:
        raise ValueError(f"multigammaln: expected p that is an int of 1 or more, got {reprlib.repr(p)}")
    x = asarray(input)
    terms = sum(_gyre.lgamma(x - k / 2) for k in range(p))
    return terms + math.log(math.pi) * (p * (p - 1) / 4)


def mvlgamma(input, p):
    """multigammaln()."""
    return multigammaln(input, p)


def entr(input):
    """-x log(x): 0 at 0, minus infinity below."""
    x = asarray(input)
    positive = _gyre.where(x > 0, x, _gyre.ones_like(x))
    edge = _gyre.where(x == 0, 0.0, _gyre.where(x < 0, -math.inf, x))
    return _gyre.where(x > 0, -positive * _gyre.log(positive), edge)


def xlog1py(input, other):
    """x log1p(y), and 0 where x is 0 and y is not NaN."""
    x, y = asarray(input), asarray(other)
    zero = (x == 0) & ((y <= -1) | (y == math.inf))  # elsewhere the gradient with respect to x is log1p(y), at 0 as well
    return _gyre.where(zero, 0.0, x * _gyre.log1p(_gyre.where(zero, 0.0, y)))


def ndtr(input):
    """Distribution function of the standard normal distribution."""
    return _gyre.erfc(asarray(input) * -math.sqrt(0.5)) * 0.5


def _polygamma_method(self, n):
    return polygamma(n, self)


_polygamma_method.__name__ = "polygamma"
_polygamma_method.__doc__ = "The n-th derivative of digamma at the elements, n >= 0."

functions = [polygamma, mvlgamma]
methods = [_polygamma_method, mvlgamma]
