"""Elementwise functions by their ops, and numbers as bounds."""

import math

from gyre import _gyre
from gyre._gyre import Tensor, asarray

_op_where, _op_round = _gyre.where, _gyre.round


def _is_number(x):
    return isinstance(x, (bool, int, float))


def where(condition, input=None, other=None) -> "Any":
    """Elements of `input` where condition is true, else of `other`; given only a condition, the indices of its true
    elements, a tensor for each axis. Of two numbers floats give f32."""
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    if _is_number(input) and _is_number(other):
        input = asarray(input, dtype="f32" if isinstance(other, float) else None)
    return _op_where(condition, input, other)


def nonzero(input, *, as_tuple=False) -> "Any":
    """Indices of the nonzero elements [n, axes]; with as_tuple a tensor of n indices for each axis."""
    x = asarray(input)
    places = _gyre.nonzero(x.reshape(1) if as_tuple and x.ndim == 0 else x)
    return tuple(places.unbind(1)) if as_tuple else places


def _clamped(x, low, high, minimum, maximum, both):
    if low is None and high is None:
        raise ValueError("clamp: expected min, max or both")
    if low is None:
        return minimum(x, high)
    return maximum(x, low) if high is None else both(x, low, high)


def clamp(input, min=None, max=None):
    """min(max(x, min), max); a bound that is None does not apply."""
    return _clamped(input, min, max, _gyre.minimum, _gyre.maximum, _gyre.clamp)


def clamp_(self, min=None, max=None):
    """In-place version of clamp."""
    return _clamped(self, min, max, Tensor.minimum_, Tensor.maximum_, _clamp_)


_clamp_ = Tensor.clamp_


def _alias(function, name):
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Same as {function.__name__}."
    return call


clip, clip_ = _alias(clamp, "clip"), _alias(clamp_, "clip_")


def clamp_min(input, min):
    """Larger of x and a bound."""
    return _gyre.maximum(input, min)


def clamp_max(input, max):
    """Smaller of x and a bound."""
    return _gyre.minimum(input, max)


def round(input, decimals=0):
    """x rounded to the nearest multiple of 10 ** -decimals, ties to even."""
    if decimals == 0:
        return _op_round(input)
    scale = 10.0 ** abs(decimals)
    return _op_round(input * scale) / scale if decimals > 0 else _op_round(input / scale) * scale


def log10(input):
    """Logarithm to base 10."""
    return _gyre.log(input) * (1 / math.log(10))


def hypot(input, other):
    """sqrt(x^2 + y^2) without overflow of the squares."""
    x, y = _gyre.abs(input), _gyre.abs(other)
    large = _gyre.maximum(x, y)
    ratio = _gyre.minimum(x, y) / _gyre.where(large == 0, 1.0, large)
    return _gyre.where(_gyre.isinf(large), large, large * _gyre.sqrt(1 + ratio * ratio))


def _fewest_nan(op, name, text):
    def choose(input, other):
        x, y = asarray(input), asarray(other)
        return _gyre.where(_gyre.isnan(x), y, _gyre.where(_gyre.isnan(y), x, op(x, y)))

    choose.__name__ = choose.__qualname__ = name
    choose.__doc__ = text
    return choose


fmax = _fewest_nan(_gyre.maximum, "fmax", "Larger of x and y that is not NaN.")
fmin = _fewest_nan(_gyre.minimum, "fmin", "Smaller of x and y that is not NaN.")


def ldexp(input, other):
    """x 2^y."""
    x = asarray(input)
    x = x if x.is_floating_point() else x.to("f32")
    half = _gyre.floor(asarray(other).to("f64") / 2)  # in two halves, since 2^y alone may be out of range
    wide = x.to("f64") * _gyre.exp2(half) * _gyre.exp2(asarray(other) - half)
    return wide.to(x.dtype)


def gcd(input, other):
    """Greatest common divisor of integers, by Euclid's algorithm."""
    x, y = _gyre.abs(input), _gyre.abs(other)
    if x.is_floating_point() or y.is_floating_point():
        raise TypeError(f"gcd: expected integers, got {x.dtype.name} and {y.dtype.name}")
    x, y = x + _gyre.zeros_like(y), y + _gyre.zeros_like(x)
    while bool(_gyre.any(y != 0)):
        done = y == 0
        x, y = _gyre.where(done, x, y), _gyre.where(done, y, _gyre.remainder(x, _gyre.where(done, 1, y)))
    return x


def lcm(input, other):
    """Least common multiple of integers; 0 if one of them is 0."""
    divisor = gcd(input, other)
    return _gyre.abs(_gyre.floor_divide(input, _gyre.maximum(divisor, 1)) * other)


def signbit(input):
    """Whether the sign is negative, of -0 as well."""
    x = asarray(input)
    return _gyre.logical_or(x < 0, 1 / x < 0) if x.is_floating_point() else x < 0


def copysign(input, other):
    """Magnitude of x with the sign of y."""
    x = _gyre.abs(input)
    return _gyre.where(signbit(other), -x, x)


def frac(input):
    """Fractional part x - trunc(x)."""
    return input - _gyre.trunc(input)


def deg2rad(input):
    """Degrees to radians."""
    return input * (math.pi / 180)


def rad2deg(input):
    """Radians to degrees."""
    return input * (180 / math.pi)


def heaviside(input, values):
    """0 for negative x, 1 for positive x, and `values` at 0."""
    x = asarray(input)
    values = asarray(values, dtype=x.dtype)
    return _gyre.where(x == 0, values, (x > 0).to(x.dtype))


def logit(input, eps=None):
    """Inverse of the logistic function: log(x / (1 - x)), of x clamped to [eps, 1 - eps]."""
    x = asarray(input) if eps is None else clamp(asarray(input), eps, 1 - eps)
    return _gyre.log(x) - _gyre.log1p(-x)


def xlogy(input, other):
    """x log(y), and 0 for x = 0 unless y is NaN."""
    x, y = asarray(input), asarray(other)
    safe = (x == 0) & ((y <= 0) | (y == math.inf))  # elsewhere the gradient with respect to x is log(y), at 0 as well
    return _gyre.where(safe, 0.0, x * _gyre.log(_gyre.where(safe, 1.0, y)))


def sinc(input):
    """sin(pi x) / (pi x), and 1 at 0."""
    x = asarray(input) * math.pi
    zero = x == 0
    safe = _gyre.where(zero, 1.0, x)
    return _gyre.where(zero, 1.0, _gyre.sin(safe) / safe)


def logaddexp2(input, other):
    """log2(2^x + 2^y)."""
    ln2 = math.log(2)
    return _gyre.logaddexp(input * ln2, other * ln2) / ln2


def float_power(input, exponent):
    """Power in f64."""
    return _gyre.pow(asarray(input).to("f64"), asarray(exponent).to("f64"))


def addcmul(input, tensor1, tensor2, *, value=1):
    """input + value x y."""
    return input + (tensor1 * tensor2 if value == 1 else value * tensor1 * tensor2)


def addcdiv(input, tensor1, tensor2, *, value=1):
    """input + value x / y."""
    return input + (tensor1 / tensor2 if value == 1 else value * tensor1 / tensor2)


def addcmul_(self, tensor1, tensor2, *, value=1):
    """Adds value x y in place."""
    return self.add_(tensor1 * tensor2, alpha=value)


def addcdiv_(self, tensor1, tensor2, *, value=1):
    """Adds value x / y in place."""
    return self.add_(tensor1 / tensor2, alpha=value)


def rsub(input, other, *, alpha=1):
    """other - alpha x."""
    return other - (input if alpha == 1 else alpha * input)


def positive(input):
    """x itself."""
    return asarray(input)


def isposinf(input):
    """True where x is infinity."""
    return asarray(input) == math.inf


def isneginf(input):
    """True where x is -infinity."""
    return asarray(input) == -math.inf


def isreal(input):
    """True everywhere, since there are no complex dtypes."""
    return _gyre.ones_like(input, dtype="boolean")


def real(input):
    """x itself, since there are no complex dtypes."""
    return asarray(input)


def conj(input):
    """x itself, since there are no complex dtypes."""
    return asarray(input)


def imag(input):
    """Zeros, since there are no complex dtypes."""
    return _gyre.zeros_like(input)


def _where_method(self, condition, other) -> "Any":
    return where(condition, self, other)


_where_method.__name__ = "where"
_where_method.__doc__ = "Elements of the tensor where condition is true, else of `other`."

functions = [where, nonzero, clamp, clip, clamp_min, clamp_max, round, log10, hypot, fmax, fmin, ldexp, gcd, lcm, signbit, copysign, frac, deg2rad,
             rad2deg, heaviside, logit, xlogy, sinc, logaddexp2, float_power, addcmul, addcdiv, rsub, positive, isposinf,
             isneginf, isreal, real, conj, imag]
methods = [_where_method, nonzero, clamp, clamp_, clip, clip_, clamp_min, clamp_max, round, log10, hypot, fmax, fmin, ldexp, gcd, lcm, signbit, copysign, frac, deg2rad,
           rad2deg, heaviside, logit, xlogy, sinc, logaddexp2, float_power, addcmul, addcmul_, addcdiv, addcdiv_, positive, isposinf,
           isneginf, isreal, conj]
