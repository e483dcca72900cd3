"""Polynomials as vectors of coefficients, the highest power first."""

from gyre import _gyre
from gyre.numpy.creation import vander
from gyre.numpy.dtypes import arrays, inexact, tensor
from gyre.numpy.elementwise import ufuncs
from gyre.numpy.linalg import lstsq
from gyre.numpy.products import convolve


divide, multiply = ufuncs["divide"], ufuncs["multiply"]


def _coefficients(p):
    return p.coeffs if isinstance(p, poly1d) else tensor(p).reshape(-1)


def polyval(p, x):
    """Polynomial with coefficients p, the highest power first, at x; of a polynomial x the composition."""
    if isinstance(x, poly1d):
        result = poly1d([0])
        for coefficient in _coefficients(p):
            result = result * x + coefficient
        return result
    p, x = arrays(_coefficients(p), x)
    result = _gyre.zeros_like(x)
    for k in range(p.numel()):
        result = result * x + p[k]
    return result


def polyfit(x, y, deg, rcond=None, *, w=None):
    """Coefficients of the polynomial of a degree with the least squared distance from y, weighted by w, at x; for a
    matrix y, of each column."""
    points, values = inexact(x), inexact(y)
    if points.ndim != 1 or not 1 <= values.ndim <= 2 or points.shape[0] != values.shape[0]:
        raise ValueError(f"polyfit: expected a vector x and as many values y, got {list(points.shape)} and "
                         f"{list(values.shape)}")
    powers = vander(points, deg + 1)
    if w is not None:
        weights = inexact(w).reshape(-1, 1)
        powers, values = powers * weights, values * (weights if values.ndim == 2 else weights.squeeze(1))
    scale = _gyre.sqrt(_gyre.sum(_gyre.square(powers), 0))
    solution = lstsq(powers / scale, values, rcond)[0]
    return solution / (scale.unsqueeze(1) if solution.ndim == 2 else scale)


def polyadd(a1, a2):
    """Sum of polynomials."""
    return _same_kind(_sum(*arrays(_coefficients(a1), _coefficients(a2))), a1, a2)


def polysub(a1, a2):
    """Difference of polynomials."""
    x, y = arrays(_coefficients(a1), _coefficients(a2))
    return _same_kind(_sum(x, -y), a1, a2)


def polymul(a1, a2):
    """Product of polynomials."""
    return _same_kind(convolve(_coefficients(a1), _coefficients(a2)), a1, a2)


def _sum(x, y):
    n = max(x.numel(), y.numel())
    return _gyre.pad(x, [n - x.numel()], [0]) + _gyre.pad(y, [n - y.numel()], [0])


def _same_kind(result, *given):
    return poly1d(result) if any(isinstance(p, poly1d) for p in given) else result


def polyder(p, m=1):
    """m-th derivative of a polynomial."""
    x = _coefficients(p)
    for _ in range(m):
        x = multiply(x[:-1], _gyre.arange(x.numel() - 1, 0, -1))
    return _same_kind(x, p)


def polyint(p, m=1, k=None):
    """m-th antiderivative of a polynomial, with constants k, 0 by default."""
    x = inexact(_coefficients(p))
    constants = [0.0] * m if k is None else tensor(k).reshape(-1).expand(m).tolist()
    for constant in constants:
        x = _gyre.cat(x / _gyre.arange(x.numel(), 0, -1).to(x.dtype), tensor([constant], x.dtype))
    return _same_kind(x, p)


def poly(seq_of_zeros):
    """Coefficients of the polynomial with these zeros."""
    zeros = inexact(seq_of_zeros)
    if zeros.ndim != 1:
        raise ValueError(f"poly: expected a vector of zeros, got {list(zeros.shape)}")
    result = _gyre.ones((1,), dtype=zeros.dtype)
    for zero in zeros:
        result = convolve(result, _gyre.stack(_gyre.ones_like(zero), -zero))
    return result


class poly1d:
    """Polynomial with coefficients `coeffs`, the highest power first: p(x), p + q, p - q, p * q, p[power]."""

    def __init__(self, c_or_r, r=False):
        x = poly(c_or_r) if r else _coefficients(c_or_r)
        nonzero = _gyre.nonzero(x).reshape(-1)
        self.coeffs = x[int(nonzero[0]):] if nonzero.numel() else x[:1] * 0

    c = coef = coefficients = property(lambda self: self.coeffs, doc="the coefficients")
    order = o = property(lambda self: self.coeffs.numel() - 1, doc="the degree")

    def __call__(self, x):
        return polyval(self, x)

    def __getitem__(self, power):
        return self.coeffs[self.order - power] if 0 <= power <= self.order else 0

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self.coeffs)

    def __eq__(self, other):
        return isinstance(other, poly1d) and self.coeffs.tolist() == other.coeffs.tolist()

    __hash__ = None

    def __add__(self, other):
        return polyadd(self, other)

    def __sub__(self, other):
        return polysub(self, other)

    def __rsub__(self, other):
        return polysub(poly1d(other), self)

    def __mul__(self, other):
        return polymul(self, other)

    def __neg__(self):
        return poly1d(-self.coeffs)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, number):
        return poly1d(divide(self.coeffs, number))

    def __pow__(self, n):
        result = poly1d([1])
        for _ in range(n):
            result = result * self
        return result

    def deriv(self, m=1):
        """m-th derivative."""
        return polyder(self, m)

    def integ(self, m=1, k=0):
        """m-th antiderivative."""
        return polyint(self, m, k)

    def __repr__(self):
        return f"poly1d({self.coeffs.tolist()})"


functions = [polyval, polyfit, polyadd, polysub, polymul, polyder, polyint, poly]
classes = [poly1d]
