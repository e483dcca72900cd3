"""Reductions over axes and along them, also of the elements that are not NaN."""

import builtins
import math
import reprlib

import gyre
from gyre import _gyre
from gyre.numpy.dtypes import FLOATS, dtype as _dtype, gathered, inexact, operands, tensor
from gyre.numpy.elementwise import finished
from gyre.numpy.manipulation import axes_of


def over(op, x, axis, keepdims, name="reduction"):
    """op over axes; over none for axis=()."""
    if axis is None:
        return op(x, (), bool(keepdims))
    axes = axes_of(axis, x.ndim, name)
    return op(x, axes, bool(keepdims)) if axes else op(x.unsqueeze(-1), (-1,), False)


def _masked(x, where, neutral):
    return x if where is True else _gyre.where(tensor(where), x, tensor(neutral).to(x.dtype))


def _named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _total(op, combined, name, neutral, doc):
    def total(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        x = _masked(tensor(a), where, neutral)
        result = over(op, gathered(x) if dtype is None else x.to(_dtype(dtype)), axis, keepdims, name)
        result = result if initial is None else combined(*operands(result, initial))
        return finished(name, result, out, dtype=dtype)

    return _named(total, name, doc)


sum = _total(_gyre.sum, _gyre.add, "sum", 0, "Sum of all elements or over axes; of integers i64, of unsigned ones u64.")
prod = _total(_gyre.prod, _gyre.mul, "prod", 1, "Product of all elements or over axes; of integers i64, of unsigned ones u64.")


def _extremum(op, combined, name, sign, doc):
    def extremum(a, axis=None, out=None, keepdims=False, initial=None, where=True):
        x = tensor(a)
        if where is not True:
            if initial is None:
                raise ValueError(f"{name}: where= needs initial=")
            x = _masked(x, where, initial)
        if x.numel() == 0 and initial is not None:
            empty = over(_gyre.sum, x, axis, keepdims, name).to(x.dtype)
            return finished(name, empty + initial, out)
        result = over(op, x, axis, keepdims, name)
        return finished(name, result if initial is None else combined(*operands(result, initial)), out)

    return _named(extremum, name, doc)


max = _extremum(_gyre.max, _gyre.maximum, "max", 1, "Maximum of all elements or over axes; NaN if one is NaN.")
min = _extremum(_gyre.min, _gyre.minimum, "min", -1, "Minimum of all elements or over axes; NaN if one is NaN.")


def amax(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """Same as max."""
    return max(a, axis, out, keepdims, initial, where)


def amin(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """Same as min."""
    return min(a, axis, out, keepdims, initial, where)


def ptp(a, axis=None, out=None, keepdims=False):
    """Maximum minus minimum."""
    return finished("ptp", max(a, axis, None, keepdims) - min(a, axis, None, keepdims), out)


def _truth(op, name, neutral, doc):
    def truth(a, axis=None, out=None, keepdims=False, *, where=True):
        return finished(name, over(op, _masked(tensor(a) != 0, where, neutral), axis, keepdims, name), out)

    return _named(truth, name, doc)


all = _truth(_gyre.all, "all", True, "Whether all elements are nonzero, in all or over axes.")
any = _truth(_gyre.any, "any", False, "Whether an element is nonzero, in all or over axes.")


def count_nonzero(a, axis=None, *, keepdims=False):
    """Number of nonzero elements, in all or over axes."""
    return over(_gyre.sum, (tensor(a) != 0).to("i64"), axis, keepdims, "count_nonzero")


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """Mean of all elements or over axes."""
    x = inexact(a) if dtype is None else tensor(a, dtype)
    if where is True:
        return finished("mean", over(_gyre.mean, x, axis, keepdims, "mean"), out)
    mask = tensor(where).expand(x.shape)
    total, count = sum(_masked(x, mask, 0), axis, keepdims=keepdims), count_nonzero(mask, axis, keepdims=keepdims)
    return finished("mean", total / count, out)


def _spread(op, name, doc):
    def spread(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, correction=None):
        x = inexact(a) if dtype is None else tensor(a, dtype)
        divisor = float(ddof if correction is None else correction)
        if where is not True:
            return finished(name, _nan_spread(x, tensor(where).expand(x.shape), axis, divisor, keepdims, name), out)
        result = over(lambda y, axes, keepdim: op(y, axes, keepdim, divisor), x, axis, keepdims, name)
        return finished(name, result, out)

    return _named(spread, name, doc)


def _nan_spread(x, mask, axis, ddof, keepdims, name):
    count = count_nonzero(mask, axis, keepdims=True)
    centre = sum(_gyre.where(mask, x, 0.0), axis, keepdims=True) / count
    total = sum(_gyre.square(_gyre.where(mask, x - centre, 0.0)), axis, keepdims=keepdims)
    count = count_nonzero(mask, axis, keepdims=keepdims) - ddof
    variance = total / _gyre.where(count > 0, count, math.nan).to(x.dtype)
    return _gyre.sqrt(variance) if name.endswith("std") else variance


std = _spread(_gyre.std, "std", "Standard deviation, divided by n - ddof; ddof is 0 by default.")
var = _spread(_gyre.var, "var", "Variance, divided by n - ddof; ddof is 0 by default.")


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """Weighted mean of all elements or over axes; with the sum of the weights if `returned`."""
    x = inexact(a)
    if weights is None:
        weights = _gyre.ones_like(x)
    x, w = operands(x, weights)
    if w.ndim == 1 and x.ndim > 1:
        if axis is None:
            raise TypeError(f"average: weights of shape {list(w.shape)} need an axis of {list(x.shape)}")
        w = w.reshape([-1 if i == axes_of(axis, x.ndim, "average")[0] else 1 for i in range(x.ndim)])
    w = w.expand(x.shape)
    total = sum(w, axis, keepdims=keepdims)
    result = sum(x * w, axis, keepdims=keepdims) / total
    return (result, total) if returned else result


def _place(op, name, doc):
    def place(a, axis=None, out=None, *, keepdims=False):
        x = tensor(a)
        if axis is None:
            result = op(x.reshape(-1), 0)
            return finished(name, result.reshape([1] * x.ndim) if keepdims else result, out)
        return finished(name, op(x, axes_of(axis, x.ndim, name)[0], bool(keepdims)), out)

    return _named(place, name, doc)


argmax = _place(_gyre.argmax, "argmax", "Index of the first maximum, in the flattened array or along an axis.")
argmin = _place(_gyre.argmin, "argmin", "Index of the first minimum, in the flattened array or along an axis.")


# ---- along an axis ----


def _running(op, name, doc):
    def running(a, axis=None, dtype=None, out=None):
        x = gathered(tensor(a)) if dtype is None else tensor(a, dtype)
        return finished(name, op(x.reshape(-1), 0) if axis is None else op(x, axis), out, dtype=dtype)

    return _named(running, name, doc)


cumsum = _running(_gyre.cumsum, "cumsum", "Cumulative sum along an axis, of the flattened array without one.")
cumprod = _running(_gyre.cumprod, "cumprod", "Cumulative product along an axis, of the flattened array without one.")


def _standard_running(running, name, first, doc):
    def cumulative(x, /, *, axis=None, dtype=None, out=None, include_initial=False):
        x = tensor(x)
        if axis is None:
            if x.ndim > 1:
                raise ValueError(f"{name}: expected an axis for {x.ndim} axes")
            axis = 0
        result = running(x, axis, dtype)
        if include_initial:
            shape = [1 if i == axes_of(axis, x.ndim, name)[0] else n for i, n in enumerate(x.shape)]
            result = _gyre.cat(_gyre.full(shape, first).to(result.dtype), result, axis=axis)
        return finished(name, result, out)

    return _named(cumulative, name, doc)


cumulative_sum = _standard_running(cumsum, "cumulative_sum", 0,
                                   "Cumulative sum along an axis, from 0 if `include_initial`.")
cumulative_prod = _standard_running(cumprod, "cumulative_prod", 1,
                                    "Cumulative product along an axis, from 1 if `include_initial`.")


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """n-th difference along an axis."""
    x = tensor(a)

    def end(values):
        part = tensor(values)
        shape = [1 if i == axis % x.ndim else n for i, n in enumerate(x.shape)]
        return part.expand(shape) if part.ndim == 0 else part

    parts = [part for part in (prepend, x, append) if part is not None]
    x = _gyre.cat(*operands(*[part if part is x else end(part) for part in parts]), axis=axis)
    return gyre.diff(x, n, axis)


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of consecutive elements of the flattened array, with numbers before and after."""
    x = tensor(ary).reshape(-1)
    parts = [part for part in (to_begin, gyre.diff(x), to_end) if part is not None]
    return _gyre.cat(*[tensor(part, x.dtype).reshape(-1) for part in parts])


def gradient(f, *varargs, axis=None, edge_order=1):
    """Derivatives along each axis by differences, of second order inside and of edge_order (1 or 2) at the ends; spacings are
    numbers, or vectors of coordinates. A tensor for one axis, else a tuple."""
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: expected edge_order 1 or 2, got {reprlib.repr(edge_order)}")
    x = inexact(f)
    axes = tuple(range(x.ndim)) if axis is None else axes_of(axis, x.ndim, "gradient")
    spacings = varargs * len(axes) if len(varargs) == 1 else varargs or (1.0,) * len(axes)
    if len(spacings) != len(axes):
        raise TypeError(f"gradient: expected a spacing or one for each of {len(axes)} axes, got {len(varargs)}")
    slopes = []
    for place, h in zip(axes, spacings):
        n = x.shape[place]
        if n <= edge_order:
            raise ValueError(f"gradient: expected at least {edge_order + 1} elements along axis {place}, got {n}")
        slopes.append(_slopes(x.movedim(place, -1), _widths(h, n, x.dtype), edge_order).movedim(-1, place))
    return slopes[0] if len(slopes) == 1 else tuple(slopes)


def _widths(h, n, dtype):
    """The distances of n points with a spacing, or with these coordinates."""
    h = tensor(h, dtype)
    if h.ndim == 0:
        return h.expand(n - 1)
    if h.shape != (n,):
        raise ValueError(f"gradient: expected a spacing or {n} coordinates, got {list(h.shape)}")
    return h[1:] - h[:-1]


def _slopes(x, widths, edge_order):
    steps = (x[..., 1:] - x[..., :-1]) / widths
    inner = (steps[..., :-1] * widths[1:] + steps[..., 1:] * widths[:-1]) / (widths[1:] + widths[:-1])
    first, last = steps[..., :1], steps[..., -1:]
    if edge_order == 2:  # the parabola through the first or last three points
        bend = (steps[..., 1:] - steps[..., :-1]) / (widths[1:] + widths[:-1])
        first, last = first - bend[..., :1] * widths[:1], last + bend[..., -1:] * widths[-1:]
    return _gyre.cat(first, inner, last, axis=-1)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """Integral along an axis by the trapezoidal rule, at points x or with a spacing dx."""
    return gyre.trapezoid(inexact(y), None if x is None else tensor(x), dx=dx, dim=axis)


# ---- of the elements that are not NaN ----


def _without_nan(a, value):
    x = tensor(a)
    return _gyre.where(_gyre.isnan(x), value, x) if x.is_floating_point() else x


def _nan_form(reduction, value, doc):
    name = "nan" + reduction.__name__

    def form(a, axis=None, dtype=None, out=None, keepdims=False):
        return reduction(_without_nan(a, value), axis, dtype, out, keepdims)

    def running(a, axis=None, dtype=None, out=None):
        return reduction(_without_nan(a, value), axis, dtype, out)

    return _named(running if name.startswith("nancum") else form, name, doc)


nansum = _nan_form(sum, 0.0, "Sum of the elements that are not NaN.")
nanprod = _nan_form(prod, 1.0, "Product of the elements that are not NaN.")
nancumsum = _nan_form(cumsum, 0.0, "Cumulative sum with NaN as 0.")
nancumprod = _nan_form(cumprod, 1.0, "Cumulative product with NaN as 1.")


def _nan_extremum(reduction, value, name, doc):
    def extremum(a, axis=None, out=None, keepdims=False):
        x = tensor(a)
        result = reduction(_without_nan(x, value), axis, None, keepdims)
        if x.is_floating_point():
            result = _gyre.where(all(_gyre.isnan(x), axis, None, keepdims), math.nan, result)
        return finished(name, result, out)

    return _named(extremum, name, doc)


nanmax = _nan_extremum(max, -math.inf, "nanmax", "Maximum of the elements that are not NaN.")
nanmin = _nan_extremum(min, math.inf, "nanmin", "Minimum of the elements that are not NaN.")


def _nan_place(place, value, name, doc):
    def nan_place(a, axis=None, out=None, *, keepdims=False):
        x = tensor(a)
        if x.is_floating_point() and bool(any(all(_gyre.isnan(x), axis))):
            raise ValueError(f"{name}: expected a number in each slice, got only NaN")
        return place(_without_nan(x, value), axis, out, keepdims=keepdims)

    return _named(nan_place, name, doc)


nanargmax = _nan_place(argmax, -math.inf, "nanargmax", "Index of the first maximum of the elements that are not NaN.")
nanargmin = _nan_place(argmin, math.inf, "nanargmin", "Index of the first minimum of the elements that are not NaN.")


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False):
    """Mean of the elements that are not NaN."""
    x = inexact(a) if dtype is None else tensor(a, dtype)
    return mean(x, axis, None, out, keepdims, where=_gyre.logical_not(_gyre.isnan(x)))


def _nan_spread_function(name, doc):
    def spread(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
        x = inexact(a) if dtype is None else tensor(a, dtype)
        return finished(name, _nan_spread(x, _gyre.logical_not(_gyre.isnan(x)), axis, float(ddof), keepdims, name), out)

    return _named(spread, name, doc)


nanstd = _nan_spread_function("nanstd", "Standard deviation of the elements that are not NaN.")
nanvar = _nan_spread_function("nanvar", "Variance of the elements that are not NaN.")

functions = [sum, prod, max, min, amax, amin, ptp, all, any, count_nonzero, mean, std, var, average, argmax, argmin,
             cumsum, cumprod, cumulative_sum, cumulative_prod, diff, ediff1d, gradient, trapezoid, nansum, nanprod,
             nancumsum, nancumprod, nanmax, nanmin, nanargmax, nanargmin, nanmean, nanstd, nanvar]
