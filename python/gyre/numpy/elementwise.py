"""NumPy's universal functions: elementwise, with NumPy's type promotion, `out` and `where`."""

import builtins
import math

import gyre
from gyre import _gyre
from gyre._functions import elementwise as torch_named
from gyre.numpy.dtypes import dtype as _dtype, floating, inexact, isdtype, operands, result_type, tensor


def finished(name, result, out, where=True, dtype=None):
    """The result in the wanted dtype, written into `out` where there is one."""
    result = result if dtype is None else result.to(_dtype(dtype))
    if where is not True:
        if out is None:
            raise TypeError(f"{name}: where= needs out=, whose elements stay where it is false")
        result = _gyre.where(tensor(where), result, tensor(out).to(result.dtype))
    if out is None:
        return result
    return writable(out[0] if isinstance(out, tuple) else out).copy_(result)


def writable(target):
    """A tensor that shares the memory of the target."""
    return target if isinstance(target, gyre.Tensor) else gyre.from_numpy(target)


def _named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _unary(name, op, doc, convert):
    def ufunc(x, /, out=None, *, where=True, dtype=None):
        return finished(name, op(convert(x if dtype is None else tensor(x, dtype))), out, where)

    return _named(ufunc, name, doc)


def _binary(name, op, doc, convert):
    def ufunc(x1, x2, /, out=None, *, where=True, dtype=None):
        inputs = convert(x1, x2) if dtype is None else [tensor(x1, dtype), tensor(x2, dtype)]
        return finished(name, op(*inputs), out, where)

    def outer(A, B, /, **options):
        a, b = tensor(A), tensor(B)
        return ufunc(a.reshape(*a.shape, *[1] * b.ndim), b, **options)

    ufunc.outer = _named(outer, "outer", f"{name} of all pairs of elements of a and b.")
    return _named(ufunc, name, doc)


def _floats(x1, x2):
    return [floating(x) for x in operands(x1, x2)]


def _divided(x1, x2):
    return [inexact(x) for x in operands(x1, x2)]


def _compared(x1, x2):
    """Operands of a comparison: a Python int may exceed the other's dtype."""
    wide = [_gyre.asarray(x) if type(x) is int else x for x in (x1, x2)]
    return operands(*(wide if not _any_float(x1, x2) else (x1, x2)))


def _ordered(x1, x2):
    """Operands of an order: u64 beside signed integers, which have no common dtype, as u64 of the same order."""
    x, y = (tensor(x) if hasattr(x, "dtype") or type(x) is int else x for x in (x1, x2))
    dtypes = [getattr(part, "dtype", None) for part in (x, y)]
    for first, second in ((0, 1), (1, 0)):
        if dtypes[first] == _gyre.u64 and isdtype(dtypes[second] or _gyre.f64, "signed integer"):
            pair = [x, y]
            below = pair[second] < 0
            pair[first] = _gyre.where(below, 1, pair[first])
            pair[second] = _gyre.where(below, 0, pair[second].to("u64"))
            return pair
    return _compared(x1, x2)


def _any_float(*inputs):
    return result_type(*inputs) in (_gyre.bf16, _gyre.f16, _gyre.f32, _gyre.f64)


def _cbrt(x):
    return _gyre.sign(x) * _gyre.pow(_gyre.abs(x), 1 / 3)


def _reciprocal(x):
    return _gyre.reciprocal(x) if x.is_floating_point() else _gyre.floor_divide(_gyre.ones_like(x), x)


def _infinite_hypot(x, y):
    infinite = _gyre.logical_or(_gyre.isinf(x), _gyre.isinf(y))
    return _gyre.where(infinite, math.inf, torch_named.hypot(x, y))


def _float_power(x, y):
    return _gyre.pow(x.to("f64"), y.to("f64"))


_CODES = {_gyre.f64: "dq", _gyre.f32: "fi"}  # of memoryviews: the float, the integer of its size


def _viewed(x, code):
    return gyre.from_dlpack(memoryview(x).cast("B").cast(code))


def _nextafter(x, y):
    if x.dtype not in _CODES:
        raise TypeError(f"nextafter: expected f32 or f64, got {x.dtype.name}")
    real, whole = _CODES[x.dtype]
    x, y = gyre.broadcast_tensors(x.detach(), y.detach())
    shape, x, y = x.shape, x.reshape(-1).contiguous(), y.reshape(-1)
    if x.numel() == 0:
        return _gyre.clone(x).reshape(shape)
    bits = _viewed(x, whole)  # sign and magnitude: one more is away from zero
    tiny = _viewed(_gyre.ones((1,), dtype=bits.dtype), real)
    away = _gyre.eq(y > x, x > 0)
    moved = _viewed((bits + _gyre.where(away, 1, -1).to(bits.dtype)).contiguous(), real)
    moved = _gyre.where(x == 0, torch_named.copysign(tiny, y), moved)
    nan = _gyre.logical_or(_gyre.isnan(x), _gyre.isnan(y))
    return _gyre.where(x == y, y, _gyre.where(nan, math.nan, moved)).reshape(shape)


def _spacing(x):
    step = _nextafter(_gyre.abs(x), _gyre.full((), math.inf, dtype=x.dtype)) - _gyre.abs(x)
    return torch_named.copysign(step, x)


def _integers(x1, x2):
    x, y = operands(x1, x2)
    if x.is_floating_point() or x.dtype == _gyre.boolean:
        raise TypeError(f"gcd, lcm: expected integers, got {x.dtype.name}")
    return gyre.broadcast_tensors(x, y)


def _bits(x):
    if x.is_floating_point() or x.dtype == _gyre.boolean:
        raise TypeError(f"bitwise_count: expected integers, got {x.dtype.name}")
    x = _gyre.abs(x)
    return sum(_gyre.bitwise_and(_gyre.shift_right(x, k), 1) for k in range(8 * x.itemsize)).to("u8")


# NumPy's name, other names, what computes it, documentation
_MATH = (
    ("sqrt", "", _gyre.sqrt, "Square root."), ("exp", "", _gyre.exp, "Exponential."),
    ("exp2", "", _gyre.exp2, "2 ** x."),
    ("expm1", "", _gyre.expm1, "exp(x) - 1, accurate near 0."), ("log", "", _gyre.log, "Natural logarithm."),
    ("log2", "", _gyre.log2, "Logarithm to base 2."), ("log10", "", torch_named.log10, "Logarithm to base 10."),
    ("log1p", "", _gyre.log1p, "log(1 + x), accurate near 0."), ("cbrt", "", _cbrt, "Cube root."),
    ("sin", "", _gyre.sin, "Sine."), ("cos", "", _gyre.cos, "Cosine."), ("tan", "", _gyre.tan, "Tangent."),
    ("arcsin", "asin", _gyre.asin, "Inverse sine."), ("arccos", "acos", _gyre.acos, "Inverse cosine."),
    ("arctan", "atan", _gyre.atan, "Inverse tangent."), ("sinh", "", _gyre.sinh, "Hyperbolic sine."),
    ("cosh", "", _gyre.cosh, "Hyperbolic cosine."), ("tanh", "", _gyre.tanh, "Hyperbolic tangent."),
    ("arcsinh", "asinh", _gyre.asinh, "Inverse hyperbolic sine."),
    ("arccosh", "acosh", _gyre.acosh, "Inverse hyperbolic cosine."),
    ("arctanh", "atanh", _gyre.atanh, "Inverse hyperbolic tangent."),
    ("fabs", "", _gyre.abs, "Absolute value, as a float."),
    ("deg2rad", "radians", torch_named.deg2rad, "Degrees to radians."),
    ("rad2deg", "degrees", torch_named.rad2deg, "Radians to degrees."),
    ("spacing", "", _spacing, "Distance to the next number away from 0."),
    ("rint", "", _gyre.round, "Nearest integer, ties to even."),
)
_SAME = (
    ("absolute", "abs", _gyre.abs, "Absolute value."), ("negative", "", _gyre.neg, "-x."),
    ("positive", "", _gyre.clone, "+x."),
    ("sign", "", _gyre.sign, "Sign: -1, 0 or 1, and NaN for NaN."), ("square", "", _gyre.square, "x squared."),
    ("reciprocal", "", _reciprocal, "1 / x."), ("floor", "", _gyre.floor, "Largest integer <= x."),
    ("ceil", "", _gyre.ceil, "Smallest integer >= x."), ("trunc", "fix", _gyre.trunc, "x without its fractional part."),
    ("isnan", "", _gyre.isnan, "Whether x is NaN."), ("isinf", "", _gyre.isinf, "Whether x is infinite."),
    ("isfinite", "", _gyre.isfinite, "Whether x is neither infinite nor NaN."),
    ("signbit", "", torch_named.signbit, "Whether the sign is negative, of -0 as well."),
    ("logical_not", "", _gyre.logical_not, "Whether x is 0."),
    ("invert", "bitwise_not bitwise_invert", _gyre.bitwise_not, "Bitwise not."),
    ("bitwise_count", "", _bits, "Number of bits of |x| that are 1."),
    ("conjugate", "conj", _gyre.clone, "x itself, since there are no complex dtypes."),
    ("isposinf", "", torch_named.isposinf, "Whether x is infinity."),
    ("isneginf", "", torch_named.isneginf, "Whether x is -infinity."),
)
_BINARY = (
    ("add", "", _gyre.add, "x + y."), ("subtract", "", _gyre.sub, "x - y."), ("multiply", "", _gyre.mul, "x y."),
    ("floor_divide", "", _gyre.floor_divide, "Largest integer <= x / y."),
    ("remainder", "mod", _gyre.remainder, "x mod y, with the sign of y."),
    ("fmod", "", _gyre.fmod, "Remainder of x / y with the sign of x."), ("power", "pow", _gyre.pow, "x ** y."),
    ("float_power", "", _float_power, "x ** y in f64."),
    ("maximum", "", _gyre.maximum, "Larger of x and y; NaN if one is NaN."),
    ("minimum", "", _gyre.minimum, "Smaller of x and y; NaN if one is NaN."),
    ("fmax", "", torch_named.fmax, "Larger of x and y that is not NaN."),
    ("fmin", "", torch_named.fmin, "Smaller of x and y that is not NaN."),
    ("bitwise_and", "", _gyre.bitwise_and, "Bitwise and."), ("bitwise_or", "", _gyre.bitwise_or, "Bitwise or."),
    ("bitwise_xor", "", _gyre.bitwise_xor, "Bitwise exclusive or."),
    ("left_shift", "bitwise_left_shift", _gyre.shift_left, "x shifted left by y bits."),
    ("right_shift", "bitwise_right_shift", _gyre.shift_right, "x shifted right by y bits."),
)
_FLOAT_BINARY = (
    ("arctan2", "atan2", _gyre.atan2, "Angle of the point (y, x)."),
    ("hypot", "", _infinite_hypot, "sqrt(x^2 + y^2) without overflow of the squares."),
    ("logaddexp", "", _gyre.logaddexp, "log(exp(x) + exp(y))."),
    ("logaddexp2", "", torch_named.logaddexp2, "log2(2 ** x + 2 ** y)."),
    ("copysign", "", torch_named.copysign, "Magnitude of x with the sign of y."),
    ("nextafter", "", _nextafter, "The next number after x towards y."),
    ("heaviside", "", torch_named.heaviside, "0 for negative x, 1 for positive x, y at 0."),
)
_COMPARISONS = (
    ("equal", "", _gyre.eq, "x == y."), ("not_equal", "", _gyre.ne, "x != y."), ("less", "", _gyre.lt, "x < y."),
    ("less_equal", "", _gyre.le, "x <= y."), ("greater", "", _gyre.gt, "x > y."),
    ("greater_equal", "", _gyre.ge, "x >= y."),
)
_LOGIC = (
    ("logical_and", "", _gyre.logical_and, "Whether both are nonzero."),
    ("logical_or", "", _gyre.logical_or, "Whether one is nonzero."),
    ("logical_xor", "", _gyre.logical_xor, "Whether exactly one is nonzero."),
)
_INTEGERS = (
    ("gcd", "", torch_named.gcd, "Greatest common divisor."), ("lcm", "", torch_named.lcm, "Least common multiple."),
)
_QUOTIENT = (("divide", "true_divide", _gyre.div, "x / y."),)
ufuncs = {}
for _table, _make, _convert in ((_MATH, _unary, floating), (_SAME, _unary, tensor), (_BINARY, _binary, operands),
                                (_FLOAT_BINARY, _binary, _floats), (_INTEGERS, _binary, _integers),
                                (_QUOTIENT, _binary, _divided),
                                (_COMPARISONS, _binary, _ordered), (_LOGIC, _binary, _compared)):
    for _name, _others, _op, _doc in _table:
        ufuncs[_name] = _make(_name, _op, _doc, _convert)
        ufuncs.update({other: ufuncs[_name] for other in _others.split()})
globals().update(ufuncs)


def divmod(x1, x2, /):
    """Floor division and remainder."""
    x, y = operands(x1, x2)
    return _gyre.floor_divide(x, y), _gyre.remainder(x, y)


def modf(x, /):
    """Fractional and integral parts, with the sign of x."""
    x = floating(x)
    whole = _gyre.trunc(x)
    return _gyre.where(_gyre.isinf(x), 0.0, x - whole), whole


def ldexp(x1, x2, /):
    """x 2 ** y."""
    return torch_named.ldexp(floating(x1), tensor(x2))


def sinc(x):
    """sin(pi x) / (pi x), and 1 at 0."""
    return torch_named.sinc(floating(x))


def real(val):
    """x itself, since there are no complex dtypes."""
    return tensor(val)


def imag(val):
    """Zeros, since there are no complex dtypes."""
    return _gyre.zeros_like(tensor(val))


def isreal(x):
    """True everywhere, since there are no complex dtypes."""
    return _gyre.ones_like(tensor(x), dtype="boolean")


def iscomplex(x):
    """False everywhere, since there are no complex dtypes."""
    return _gyre.zeros_like(tensor(x), dtype="boolean")


def iscomplexobj(x):
    """False: there are no complex dtypes."""
    return False


def isrealobj(x):
    """True: there are no complex dtypes."""
    return True


def angle(z, deg=False):
    """Angle in the complex plane: 0, and pi (180 degrees) for negative numbers."""
    x = floating(z)
    return _gyre.where(torch_named.signbit(x), 180.0 if deg else math.pi, _gyre.where(_gyre.isnan(x), x, 0.0))


def unwrap(p, discont=None, axis=-1, *, period=2 * math.pi):
    """Angles with multiples of the period added so that neighbours along an axis differ by at most half of it; jumps up to
    `discont` stay."""
    x = floating(p)
    steps = gyre.diff(x, 1, axis)
    short = _gyre.remainder(steps + period / 2, period) - period / 2
    short = _gyre.where((short == -period / 2) & (steps > 0), period / 2, short)
    corrections = _gyre.where(_gyre.abs(steps) < (period / 2 if discont is None else discont), 0.0, short - steps)
    first = _gyre.zeros_like(_gyre.slice(x, axis, 0, 1))
    return x + _gyre.cumsum(_gyre.cat(first, corrections, axis=axis), axis)


def isscalar(element):
    """Whether the element is a number, a text, or a tensor without axes."""
    return element.ndim == 0 if isinstance(element, gyre.Tensor) else isinstance(element, (int, float, complex, str, bytes))


def iterable(y):
    """Whether iter(y) works."""
    try:
        iter(y)
    except TypeError:
        return False
    return True


def round(a, decimals=0, out=None):
    """a rounded to decimals, ties to even."""
    a = tensor(a)
    result = torch_named.round(a.to("f64") if decimals < 0 and not a.is_floating_point() else a,
                               builtins.max(decimals, -308))
    return finished("round", a if decimals > 0 and not a.is_floating_point() else result.to(a.dtype), out)


def clip(a, min=None, max=None, out=None, *, a_min=None, a_max=None):
    """a limited to the range from min to max (also a_min and a_max); a bound that is None does not apply."""
    low, high = a_min if min is None else min, a_max if max is None else max
    result = tensor(a)
    for bound, op in ((low, _gyre.maximum), (high, _gyre.minimum)):
        if type(bound) is int and not result.is_floating_point() and result.dtype != _gyre.boolean:
            info = gyre.iinfo(result.dtype)
            bound = builtins.max(info.min, builtins.min(bound, info.max))
        if bound is not None:
            result = op(*operands(result, bound))
    return finished("clip", result, out)


def isclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether |a - b| <= atol + rtol |b|, elementwise."""
    return _gyre.isclose(*operands(a, b), rtol, atol, equal_nan)


def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether all elements are close: a bool."""
    return bool(_gyre.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    """Whether both have the same shape and elements: a bool."""
    x, y = operands(a1, a2)
    return x.shape == y.shape and bool(_gyre.all(_same(x, y, equal_nan)))


def array_equiv(a1, a2):
    """Whether both broadcast to the same elements: a bool."""
    x, y = operands(a1, a2)
    try:
        return bool(_gyre.all(x == y))
    except gyre.ShapeError:
        return False


def _same(x, y, equal_nan):
    same = x == y
    return _gyre.logical_or(same, _gyre.logical_and(_gyre.isnan(x), _gyre.isnan(y))) if equal_nan else same


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """x with NaN and infinities replaced by numbers, infinities by the largest numbers of the dtype by default."""
    x = tensor(x)
    given = {name: float(value) for name, value in (("posinf", posinf), ("neginf", neginf)) if value is not None}
    return _gyre.nan_to_num(x, nan=float(nan), **given) if x.is_floating_point() else _gyre.clone(x)


def where(condition, x=None, y=None, /):
    """Elements of x where condition is true, else of y; given only a condition, the indices of its true elements."""
    condition = tensor(condition)
    if x is None and y is None:
        return torch_named.nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ValueError("where: expected both x and y or neither")
    return _gyre.where(condition if condition.dtype == _gyre.boolean else condition != 0, *operands(x, y))


functions = [iscomplex, isrealobj, angle, unwrap, isscalar, iterable, divmod, modf, ldexp, sinc, real, imag, isreal,
             iscomplexobj, round, clip, isclose, allclose, array_equal, array_equiv, nan_to_num, where]
functions += [_named(lambda a, decimals=0, out=None: round(a, decimals, out), "around", "Same as round.")]
