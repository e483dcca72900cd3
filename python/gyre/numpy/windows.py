"""Windows of signals."""

import math

from gyre import _gyre
from gyre.numpy.creation import arange
from gyre.numpy.dtypes import inexact, tensor


def _window(name, doc, of_cycle):
    def window(M):
        n = int(M)
        if n < 2:
            return _gyre.ones((max(n, 0),), dtype="f64")
        return of_cycle(arange(n, dtype=float) / (n - 1))

    window.__name__ = window.__qualname__ = name
    window.__doc__ = f"{doc} window of M points."
    return window


def _cosines(*coefficients):
    def at(t):
        return sum(c * _gyre.cos(2 * math.pi * k * t) for k, c in enumerate(coefficients))

    return at


bartlett = _window("bartlett", "Triangular", lambda t: 1 - _gyre.abs(2 * t - 1))
hanning = _window("hanning", "Hann", _cosines(0.5, -0.5))
hamming = _window("hamming", "Hamming", _cosines(0.54, -0.46))
blackman = _window("blackman", "Blackman", _cosines(0.42, -0.5, 0.08))


def i0(x):
    """Modified Bessel function of the first kind and order 0, by its power series, whose terms are all positive."""
    x = inexact(x)
    square = _gyre.square(x / 2)
    term = total = _gyre.ones_like(x)
    k = 1
    while bool(_gyre.any(term > total * 1e-17)):
        term = term * square / k ** 2
        total, k = total + term, k + 1
    return total


def kaiser(M, beta):
    """Kaiser window of M points."""
    beta = float(tensor(beta))
    return _window("kaiser", "", lambda t: i0(beta * _gyre.sqrt(1 - _gyre.square(2 * t - 1))) / i0(beta))(M)


functions = [bartlett, hanning, hamming, blackman, kaiser, i0]
