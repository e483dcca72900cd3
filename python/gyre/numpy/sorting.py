"""Sorting, searching, sets, counting, quantiles and statistics of ranks."""

import collections
import math

import gyre
from gyre import _gyre
from gyre._functions import reductions as torch_named
from gyre._functions.elementwise import nonzero as _nonzero
from gyre.numpy.dtypes import inexact, operands, tensor
from gyre.numpy.elementwise import finished
from gyre.numpy.manipulation import axes_of

UniqueAll = collections.namedtuple("UniqueAllResult", "values indices inverse_indices counts")
UniqueCounts = collections.namedtuple("UniqueCountsResult", "values counts")
UniqueInverse = collections.namedtuple("UniqueInverseResult", "values inverse_indices")


def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """Sorted along an axis, flattened for axis=None; always stable."""
    x, axis = (tensor(a).reshape(-1), -1) if axis is None else (tensor(a), axis)
    return _gyre.sort(x, axis, bool(descending)).values


def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False):
    """Indices that sort along an axis, the flattened array for axis=None; always stable."""
    x, axis = (tensor(a).reshape(-1), -1) if axis is None else (tensor(a), axis)
    return _gyre.argsort(x, axis, bool(descending))


def lexsort(keys, axis=-1):
    """Indices that sort by several keys, of which the last is the first criterion."""
    keys = [tensor(key) for key in keys]
    order = argsort(keys[0], axis)
    for key in keys[1:]:
        order = _gyre.gather(order, argsort(_gyre.gather(key, order, axis=axis), axis), axis=axis)
    return order


def partition(a, kth, axis=-1):
    """Sorted along an axis, so that the elements around kth are in their final places."""
    return sort(a, axis)


def argpartition(a, kth, axis=-1):
    """Indices that sort along an axis."""
    return argsort(a, axis)


def searchsorted(a, v, side="left", sorter=None):
    """Indices at which values would be inserted to keep the vector sorted, before equal ones or after
    (side="right")."""
    rows, values = operands(a, v)
    return torch_named.searchsorted(rows, values, side=side, sorter=None if sorter is None else tensor(sorter))


def digitize(x, bins, right=False):
    """Index of the bin between ascending or descending edges that each value falls into."""
    values, edges = operands(x, bins)
    if edges.numel() > 1 and bool(edges[0] > edges[-1]):
        return edges.numel() - torch_named.searchsorted(_gyre.flip(edges), values, right=not right)
    return torch_named.searchsorted(edges, values, right=not right)


def nonzero(a):
    """Indices of the nonzero elements, a vector for each axis."""
    x = tensor(a)
    if x.ndim == 0:
        raise ValueError("nonzero: expected at least 1 axis, got 0; use atleast_1d")
    return _nonzero(x, as_tuple=True)


def argwhere(a):
    """Indices of the nonzero elements [n, axes]."""
    return _nonzero(tensor(a))


def flatnonzero(a):
    """Indices of the nonzero elements of the flattened array."""
    return _nonzero(tensor(a).reshape(-1)).reshape(-1)


# ---- sets ----


def _unique(x, equal_nan):
    """Values, first indices, inverse and counts; each NaN counts as a value of its own unless equal_nan."""
    values, inverse, counts = _gyre.unique(x)
    flat, places = x.reshape(-1), inverse.reshape(-1)
    if not equal_nan and x.is_floating_point() and values.numel() and bool(_gyre.isnan(values[-1])):
        nan = _gyre.isnan(flat)
        more, last = int(nan.sum()) - 1, values.numel() - 1
        values = _gyre.cat(values, _gyre.full((more,), math.nan, dtype=x.dtype))
        counts = _gyre.cat(counts[:last], _gyre.ones((more + 1,), dtype="i64"))
        places = _gyre.where(nan, last + _gyre.cumsum(nan.to("i64"), 0) - 1, places)
    first = torch_named._first_of(places, values.numel()) if values.numel() else places
    return values, first, places.reshape(x.shape), counts


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
           sorted=True):
    """Sorted unique values, on request with first indices, the index of each element in them and counts; along an axis:
    unique slices."""
    x = tensor(ar)
    if axis is None:
        values, first, inverse, counts = _unique(x, equal_nan)
    else:
        values, inverse, counts, first = torch_named._unique_slices(x, axes_of(axis, x.ndim, "unique")[0])
    wanted = ((first, return_index), (inverse, return_inverse), (counts, return_counts))
    more = [part for part, given in wanted if given]
    return (values, *more) if more else values


def unique_values(x, /):
    """Unique values; each NaN is one."""
    return _unique(tensor(x), False)[0]


def unique_counts(x, /):
    """Unique values and their counts; each NaN is one."""
    values, _, _, counts = _unique(tensor(x), False)
    return UniqueCounts(values, counts)


def unique_inverse(x, /):
    """Unique values and the index of each element in them; each NaN is one."""
    values, _, inverse, _ = _unique(tensor(x), False)
    return UniqueInverse(values, inverse)


def unique_all(x, /):
    """Unique values, first indices, the index of each element in them, counts; each NaN is a value."""
    return UniqueAll(*_unique(tensor(x), False))


def isin(element, test_elements, assume_unique=False, invert=False):
    """Whether each element is one of the test elements."""
    return torch_named.isin(*operands(element, test_elements), invert=invert)


def union1d(ar1, ar2):
    """Sorted unique values of both arrays."""
    return _unique(_gyre.cat(*[x.reshape(-1) for x in operands(ar1, ar2)]), True)[0]


def intersect1d(ar1, ar2):
    """Sorted unique values that are in both arrays."""
    x, y = operands(ar1, ar2)
    x = _unique(x, True)[0]
    return x[torch_named.isin(x, y)]


def setdiff1d(ar1, ar2, assume_unique=False):
    """Sorted unique values of the first array that are not in the second."""
    x, y = operands(ar1, ar2)
    x = x.reshape(-1) if assume_unique else _unique(x, True)[0]
    return x[torch_named.isin(x, y, invert=True)]


def setxor1d(ar1, ar2):
    """Sorted unique values that are in exactly one array."""
    return sort(_gyre.cat(*operands(setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))))


# ---- counting ----


def bincount(x, /, weights=None, minlength=0):
    """Number of occurrences of each integer of a vector, or sums of weights (f64)."""
    return _gyre.bincount(tensor(x), None if weights is None else tensor(weights, "f64"), minlength=minlength)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Edges of the bins of histogram."""
    return histogram(a, bins, range, weights=weights)[1]


def histogram(a, bins=10, range=None, density=None, weights=None):
    """Counts in bins and their edges: a number of bins of equal width over `range` (by default that of the data), or
    ascending edges; the last bin is closed. Counts are i64, with `density` or inexact weights f64."""
    if isinstance(bins, str):
        raise TypeError(f"histogram: expected a number of bins or edges, got {bins!r}")
    x = tensor(a).to("f64")
    w = None if weights is None else tensor(weights)
    counts, edges = torch_named.histogram(x, bins if isinstance(bins, int) else tensor(bins, "f64"), range=range,
                                          weight=None if w is None else w.to("f64"), density=bool(density))
    if density:
        return counts, edges
    return (counts.to("i64") if w is None else counts.to(w.dtype)), edges


def interp(x, xp, fp, left=None, right=None):
    """Piecewise linear interpolation of the points (xp, fp) with ascending xp; fp[0] or `left` before them, fp[-1] or
    `right` after."""
    x, xp, fp = (tensor(part, "f64") for part in (x, xp, fp))
    if xp.numel() < 2:
        result = fp[0].expand(x.shape)
    else:
        after = _gyre.clamp(_gyre.searchsorted(xp, x, True), 1, xp.numel() - 1)
        slope = (fp[1:] - fp[:-1]) / (xp[1:] - xp[:-1])
        result = fp[after - 1] + slope[after - 1] * (x - xp[after - 1])
    result = _gyre.where(x < xp[0], fp[0] if left is None else left, result)
    return _gyre.where(x > xp[-1], fp[-1] if right is None else right, result)


# ---- quantiles ----

METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantiles(x, q, axis, keepdims, method, name):
    if method not in METHODS:
        raise ValueError(f"{name}: expected method {', '.join(METHODS)}, got {method!r}")
    fractions = tensor(q, "f64")
    if fractions.numel() and not bool(((fractions >= 0) & (fractions <= 1)).all()):
        raise ValueError(f"{name}: expected quantiles in [0, 1] (percentiles in [0, 100])")
    axes = None if axis is None else axes_of(axis, x.ndim, name)
    q = fractions.item() if fractions.ndim == 0 else fractions
    return torch_named.quantile(x, q, axes, bool(keepdims), interpolation=method)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Quantiles of all elements or over axes; for an array of q along new first axes."""
    x, fractions = tensor(a), tensor(q, "f64")
    flat = fractions.reshape(-1) if fractions.ndim else fractions
    result = _quantiles(inexact(x), flat, axis, keepdims, method, "quantile")
    result = result.to(x.dtype) if method in ("lower", "higher", "nearest") else result
    return finished("quantile", result.reshape(*fractions.shape, *result.shape[1:]) if fractions.ndim else result, out)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Percentiles of all elements or over axes."""
    return quantile(a, tensor(q, "f64") / 100, axis, out, method=method, keepdims=keepdims)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Median, the mean of the two middle elements of an even number; NaN if one is NaN."""
    x = inexact(a)
    if x.numel() == 0:
        return finished("median", _gyre.mean(x, () if axis is None else axis, bool(keepdims)), out)
    low, high = (_quantiles(x, 0.5, axis, keepdims, side, "median") for side in ("lower", "higher"))
    return finished("median", (low + high) / 2, out)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Quantiles of the elements that are not NaN; NaN where there are none."""
    if method != "linear":
        raise ValueError(f"nanquantile: expected method linear, got {method!r}")
    x, fractions = inexact(a), tensor(q, "f64")
    axes = tuple(range(x.ndim)) if axis is None else axes_of(axis, x.ndim, "nanquantile")
    kept = [i for i in range(x.ndim) if i not in axes]
    rows = _gyre.sort(x.permute([*kept, *axes]).reshape(*[x.shape[i] for i in kept], -1), -1).values  # NaN last
    last = _gyre.sum(_gyre.logical_not(_gyre.isnan(rows)), -1, True) - 1
    place = last * fractions.reshape(-1)
    below, above = (_gyre.clamp(i, 0, rows.shape[-1] - 1) for i in (_gyre.floor(place), _gyre.ceil(place)))
    low, high = (_gyre.gather(rows, i.to("i64"), axis=-1) for i in (below, above))
    result = _gyre.lerp(low, high, (place - below).to(x.dtype)).movedim(-1, 0)
    shape = [1 if i in axes else n for i, n in enumerate(x.shape)] if keepdims else [x.shape[i] for i in kept]
    return finished("nanquantile", result.reshape(*fractions.shape, *shape), out)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Percentiles of the elements that are not NaN."""
    return nanquantile(a, tensor(q, "f64") / 100, axis, out, method=method, keepdims=keepdims)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Median of the elements that are not NaN."""
    return nanquantile(a, 0.5, axis, out, keepdims=keepdims)


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    """Covariance matrix of variables, the rows (the columns unless `rowvar`)."""
    x = inexact(m)
    x = x.T if not rowvar and x.ndim == 2 else x
    if y is not None:
        other = inexact(y)
        other = other.T if not rowvar and other.ndim == 2 else other
        x = _gyre.cat(*[part.reshape(1, -1) if part.ndim < 2 else part for part in operands(x, other)])
    correction = int(not bias) if ddof is None else ddof
    return gyre.cov(x, correction=correction, fweights=fweights, aweights=aweights)


def corrcoef(x, y=None, rowvar=True):
    """Correlation matrix of variables, the rows (the columns unless `rowvar`)."""
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    scale = _gyre.sqrt(_gyre.diagonal(c))
    return _gyre.clamp(c / scale.unsqueeze(0) / scale.unsqueeze(1), -1.0, 1.0)


functions = [sort, argsort, lexsort, partition, argpartition, searchsorted, digitize, nonzero, argwhere, flatnonzero,
             unique, unique_values, unique_counts, unique_inverse, unique_all, isin, union1d, intersect1d, setdiff1d,
             setxor1d, bincount, histogram, histogram_bin_edges, interp, quantile, percentile, median, nanquantile,
             nanpercentile, nanmedian, cov, corrcoef]
