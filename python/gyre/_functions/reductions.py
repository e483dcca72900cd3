"""Reductions, ranks and comparisons of whole tensors."""

import reprlib

import builtins
import math
import operator

from gyre import _gyre
from gyre._functions.elementwise import nonzero
from gyre._functions.shapes import _axis, ravel
from gyre._gyre import Tensor, asarray, return_types

_op_max, _op_min, _op_median, _op_var, _op_std, _op_norm = (
    _gyre.max, _gyre.min, _gyre.median, _gyre.var, _gyre.std, _gyre.norm)
_op_bincount, _op_unique, _op_quantile, _op_searchsorted, _op_sort, _op_argsort = (
    _gyre.bincount, _gyre.unique, _gyre.quantile, _gyre.searchsorted, _gyre.sort, _gyre.argsort)
_pair = return_types.sort  # values and indices


def _extremum(reduced, place, elementwise, name, word):
    def extremum(input, dim=None, keepdim=False, *, axis=None, axes=None, keepdims=None, other=None, out=None, initial=None,
                 where=None) -> "Any":
        if out is not None:
            raise TypeError(f"{name}: out is not supported; use copy_")
        keepdim = keepdim if keepdims is None else keepdims
        if initial is not None or where is not None:
            from gyre import numpy

            axis = next((given for given in (dim, axis, axes) if given is not None), None)
            return getattr(numpy, name)(input, axis, None, keepdim, initial, True if where is None else where)
        if other is not None or isinstance(dim, Tensor):
            return elementwise(input, dim if other is None else other)
        if dim is None or isinstance(dim, (list, tuple)):
            return reduced(input, next((a for a in (dim, axis, axes) if a is not None), ()), keepdim)
        x = asarray(input)
        indices = place(x, dim, True)
        values = x if x.ndim == 0 else _gyre.gather(x, indices, axis=dim)
        if not keepdim and x.ndim:
            axis = _axis(dim, x.ndim, name)
            values, indices = (t.reshape(x.shape[:axis] + x.shape[axis + 1:]) for t in (values, indices))
        return _pair((values, indices))

    extremum.__name__ = extremum.__qualname__ = name
    extremum.__doc__ = (
        f"{word} of all elements; along `dim`, as in PyTorch, (values, indices), of which the first of equals gets the "
        f"gradient; over `axis` (one or several), as in NumPy, the values; with another tensor, elementwise.")
    return extremum


max = _extremum(_op_max, _gyre.argmax, _gyre.maximum, "max", "Maximum")
min = _extremum(_op_min, _gyre.argmin, _gyre.minimum, "min", "Minimum")


def aminmax(input, *, dim=None, keepdim=False) -> "tuple[Tensor, ...]":
    """Minimum and maximum, of all elements or along an axis."""
    axes = () if dim is None else dim
    return _op_min(input, axes, keepdim), _op_max(input, axes, keepdim)


def median(input, dim=None, keepdim=False, *, axis=None, keepdims=None) -> "Any":
    """The lower median of all elements, or along an axis (values, indices); NaN if an element is NaN."""
    axis = dim if axis is None else axis
    if axis is None:
        x = ravel(input)
        value = _op_median(x).values
        if not x.requires_grad:
            return value
        equal = x == value  # which share the gradient, as in PyTorch
        value = value.detach()
        return value + _gyre.where(equal, x - value, 0.0).sum() / equal.sum()
    return _op_median(input, axis, keepdim if keepdims is None else keepdims)


def nanmedian(input, dim=None, keepdim=False) -> "Any":
    """The lower median of the elements that are not NaN, of all or along an axis (values, indices)."""
    if dim is not None:
        return _nanmedian_along(asarray(input), dim, keepdim)
    x = ravel(input)
    rest = x[_gyre.logical_not(_gyre.isnan(x))]
    return _op_median(rest).values if rest.numel() else x.new_full((), math.nan)


def _nanmedian_along(x, dim, keepdim):
    if x.ndim == 0:
        return _pair((x, x.new_zeros((), dtype="i64")))
    places = _op_argsort(x, dim)  # NaN comes last
    count = _gyre.logical_not(_gyre.isnan(x)).sum(axis=dim, keepdim=True)
    indices = _gyre.gather(places, _gyre.maximum((count - 1) // 2, 0), axis=dim)
    values, axis = _gyre.gather(x, indices, axis=dim), _axis(dim, x.ndim, "nanmedian")
    return _pair((values, indices) if keepdim else (values.squeeze(axis), indices.squeeze(axis)))


def _running(op):
    def running(input, dim=None, reverse=False, *, axis=None, dtype=None):
        place = dim if axis is None else axis
        return op(ravel(input), -1, reverse, dtype=dtype) if place is None else op(input, place, reverse, dtype=dtype)

    running.__name__ = running.__qualname__ = op.name
    running.__doc__ = f"{op.doc}; without one of the flattened tensor, as in NumPy."
    return running


cumsum, cumprod = _running(_gyre.cumsum), _running(_gyre.cumprod)


def sort(input, dim=-1, descending=False, stable=False, *, axis=None) -> "tuple[Tensor, Tensor]":
    """Sorted values along an axis and their indices; always stable."""
    return _op_sort(input, dim if axis is None else axis, descending)


def argsort(input, dim=-1, descending=False, stable=False, *, axis=-1, kind=None):
    """Indices that sort along an axis, with axis=None the flattened tensor; always stable, whatever `kind` NumPy
    programs ask for."""
    dim = dim if axis == -1 else axis
    if dim is None:
        return _op_argsort(asarray(input).reshape(-1), 0, descending)
    return _op_argsort(input, dim, descending)


def msort(input):
    """Values sorted along axis 0."""
    return _op_sort(input, 0).values


def _spread(op, name):
    def spread(input, dim=None, unbiased=None, keepdim=False, *, correction=None, axis=None, axes=None, ddof=None,
               keepdims=None, dtype=None, out=None):
        if isinstance(dim, bool):  # x.var(False)
            dim, unbiased = None, dim
        divisor = [c for c in (correction, ddof, None if unbiased is None else int(unbiased)) if c is not None]
        if len(divisor) > 1:
            raise TypeError(f"{name}: expected one of correction, ddof and unbiased")
        if out is not None:
            raise TypeError(f"{name}: out is not supported; use copy_")
        where = next((given for given in (dim, axis, axes) if given is not None), ())
        x = input if dtype is None else asarray(input).to(dtype)
        default = 1 if axis is None else 0
        return op(x, where, keepdim if keepdims is None else keepdims, divisor[0] if divisor else default)

    spread.__name__ = spread.__qualname__ = name
    spread.__doc__ = (f"{op.doc}; divided by n - correction, which is 1 by default, as in PyTorch; over `axis` without "
                      f"correction n, as in NumPy.")
    return spread


var, std = _spread(_op_var, "var"), _spread(_op_std, "std")


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None) -> "tuple[Tensor, ...]":
    """Variance and mean."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return (var(input, dim, unbiased, keepdim, correction=correction),
            _gyre.mean(input, () if dim is None else dim, keepdim))


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None) -> "tuple[Tensor, ...]":
    """Standard deviation and mean."""
    variance, mean = var_mean(input, dim, unbiased, keepdim, correction=correction)
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return std(input, dim, unbiased, keepdim, correction=correction), mean


def norm(input, p="fro", dim=None, keepdim=False, dtype=None, *, axis=None, axes=None, keepdims=None):
    """p-norm of all elements or over axes; "fro": Euclidean, "nuc": sum of the singular values of matrices."""
    x = asarray(input) if dtype is None else asarray(input).to(dtype)
    if isinstance(p, (list, tuple)):  # norm(x, axes)
        p, axes = 2, p
    where = next((given for given in (dim, axis, axes) if given is not None), ())
    keepdim = keepdim if keepdims is None else keepdims
    if p == "nuc":
        return _nuclear(x, where, keepdim)
    if isinstance(p, str) and p != "fro":
        raise ValueError(f"norm: expected a number, \"fro\" or \"nuc\" as p, got {reprlib.repr(p)}")
    return _op_norm(x, where, keepdim, 2 if p == "fro" or p is None else p)


def _nuclear(x, axes, keepdim):
    rows, columns = (axes or (-2, -1)) if x.ndim > 2 or axes else (0, 1)
    rows, columns = _axis(rows, x.ndim, "norm"), _axis(columns, x.ndim, "norm")
    total = _gyre.svd(_moved_last(x, rows, columns)).s.sum(axis=-1)
    return total.reshape([1 if i in (rows, columns) else n for i, n in enumerate(x.shape)]) if keepdim else total


def _moved_last(x, rows, columns):
    return x.permute([i for i in range(x.ndim) if i not in (rows, columns)] + [rows, columns])


def dist(input, other, p=2):
    """p-norm of x - y."""
    return _op_norm(input - other, (), False, p)


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """Sum of the elements that are not NaN."""
    x = asarray(input) if dtype is None else asarray(input).to(dtype)
    return _gyre.sum(_gyre.where(_gyre.isnan(x), 0.0, x) if x.is_floating_point() else x, () if dim is None else dim, keepdim)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    """Mean of the elements that are not NaN."""
    x = asarray(input) if dtype is None else asarray(input).to(dtype)
    count = _gyre.sum(_gyre.logical_not(_gyre.isnan(x)), () if dim is None else dim, keepdim)
    return nansum(x, dim, keepdim) / count


def count_nonzero(input, dim=None):
    """Number of nonzero elements, in all or over axes."""
    return _gyre.sum(asarray(input) != 0, () if dim is None else dim)


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", axis=None, axes=None):
    """Quantile of all elements or along an axis; for a vector of q, one for each along a new first axis."""
    axes = next((given for given in (dim, axis, axes) if given is not None), ())
    if isinstance(q, (int, float)):
        return _op_quantile(input, q, axes, keepdim, interpolation)
    fractions = asarray(q)
    each = [_op_quantile(input, float(f), axes, keepdim, interpolation) for f in fractions.reshape(-1).tolist()]
    return each[0] if fractions.ndim == 0 else _gyre.stack(each, axis=0)


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Quantile of the elements that are not NaN, in all or along an axis."""
    x = asarray(input)
    if x.ndim == 0 and dim is not None:
        return nanquantile(x, q, interpolation=interpolation)
    rows = x.reshape(1, -1) if dim is None else x.movedim(dim, -1)
    kept = rows.shape[:-1] if dim is not None else ()
    values = [quantile(row[_gyre.logical_not(_gyre.isnan(row))], q, interpolation=interpolation)
              if not _gyre.isnan(row).all() else row.new_full(asarray(q).shape, math.nan)
              for row in rows.reshape(-1, rows.shape[-1]).unbind(0)]
    result = _gyre.stack(values, axis=-1).reshape(*asarray(q).shape, *kept)
    if not keepdim:
        return result
    return result.reshape(*asarray(q).shape, *[1] * x.ndim) if dim is None else result.unsqueeze(_axis(dim, x.ndim, "nanquantile") + asarray(q).ndim)


def mode(input, dim=-1, keepdim=False) -> "Any":
    """The most frequent value along an axis, the smallest of equals, and the index of its last occurrence."""
    x = asarray(input)
    if x.ndim == 0:
        return _pair((x, x.new_zeros((), dtype="i64")))
    ordered, places = _op_sort(x.movedim(dim, -1))
    counts = (ordered.unsqueeze(-1) == ordered.unsqueeze(-2)).sum(axis=-1)
    first = _gyre.argmax(counts, -1, True)
    last = first + _gyre.gather(counts, first, axis=-1) - 1
    values, indices = (_gyre.gather(t, last, axis=-1).movedim(-1, dim) for t in (ordered, places))
    axis = _axis(dim, x.ndim, "mode")
    return _pair((values, indices) if keepdim else (values.squeeze(axis), indices.squeeze(axis)))


def histc(input, bins=100, min=0, max=0):
    """Counts in bins of equal width from min to max, the last closed; min = max = 0 takes those of the data."""
    x = ravel(input)
    return histogram(x, bins, range=(min, max) if (min, max) != (0, 0) else None)[0].to(x.dtype)


def bincount(input, weights=None, minlength=0):
    """Counts of each non-negative integer, or sums of its weights: f64 for integer weights."""
    if weights is not None and not asarray(weights).is_floating_point():
        weights = asarray(weights).to(_gyre.f64)
    return _op_bincount(input, weights, minlength=minlength)


def histogram(input, bins=10, *, range=None, weight=None, density=False) -> "Any":
    """Counts in bins and their edges. `bins` is a number of bins of equal width over `range` (by default that of the
    data), or a tensor of edges; the last bin is closed."""
    x = ravel(input)
    if isinstance(bins, int):
        low, high = (float(x.min()), float(x.max())) if range is None and x.numel() else range or (0, 1)
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        edges = _gyre.linspace(float(low), float(high), bins + 1, x.dtype if x.is_floating_point() else "f32")
    else:
        edges = asarray(bins)
    values = x.to(edges.dtype)
    inside = _gyre.logical_and(values >= edges[0], values <= edges[-1])
    place = _gyre.minimum(_op_searchsorted(edges, values[inside], right=True) - 1, edges.shape[0] - 2)
    weights = None if weight is None else ravel(weight)[inside]
    counts = _op_bincount(place, weights, minlength=edges.shape[0] - 1)
    counts = counts.to(edges.dtype) if weight is None else counts
    return _Histogram((counts / (counts.sum() * (edges[1:] - edges[:-1])) if density else counts, edges))


class _Histogram(tuple):
    """Counts and edges of bins."""

    hist = property(operator.itemgetter(0), doc="counts")
    bin_edges = property(operator.itemgetter(1), doc="edges of the bins")


def searchsorted(sorted_sequence, input, right=False, side=None, sorter=None, *, out_int32=False):
    """Indices at which values would be inserted to keep rows sorted: before equal ones, or after with `right` or
    side="right"."""
    if side not in (None, "left", "right"):
        raise ValueError(f"searchsorted: expected side \"left\" or \"right\", got {reprlib.repr(side)}")
    rows = asarray(sorted_sequence)
    rows = rows if sorter is None else _gyre.gather(rows, asarray(sorter), axis=-1)
    places = _op_searchsorted(rows, input, right or side == "right")
    return places.to("i32") if out_int32 else places


def bucketize(input, boundaries, *, right=False, out_int32=False):
    """Index of the bucket between boundaries that each value falls into."""
    return searchsorted(boundaries, input, right=right, out_int32=out_int32)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None, *, return_index=False, axis=None) -> "Any":
    """Sorted unique values; on request with the index of each element in them and their counts. Along an axis: unique
    slices."""
    x, axis = asarray(input), dim if axis is None else axis
    if axis is None:
        values, inverse, counts = _op_unique(x)
        first = None if not return_index else _first_of(inverse.reshape(-1), values.shape[0])
    else:
        values, inverse, counts, first = _unique_slices(x, _axis(axis, x.ndim, "unique"))
    wanted = [(first, return_index), (inverse, return_inverse), (counts, return_counts)]
    more = [result for result, given in wanted if given]
    return (values, *more) if more else values


def _first_of(inverse, count):
    order = _op_argsort(inverse)
    return _gyre.gather(order, _op_searchsorted(_gyre.gather(inverse, order), _gyre.arange(count)))


def _unique_slices(x, axis):
    rows = x.movedim(axis, 0).reshape(x.shape[axis], math.prod(x.shape[:axis] + x.shape[axis + 1:]))
    order = _gyre.arange(rows.shape[0])
    for column in reversed(range(rows.shape[1])):  # stable sorts by the last key first
        order = order[_op_argsort(rows[:, column][order])]
    ordered = rows[order]
    new = _gyre.any(ordered[1:] != ordered[:-1], 1).to("i64") if rows.shape[0] > 1 else order[:0]
    group = _gyre.cat([order[:0] if rows.shape[0] == 0 else order.new_zeros(1), new], axis=0).cumsum(0)
    count = int(group[-1]) + 1 if rows.shape[0] else 0
    first = order[_op_searchsorted(group, _gyre.arange(count))]
    inverse = _gyre.scatter(group.new_zeros(group.shape), order, group)
    return _gyre.index_select(x, first, axis), inverse, _gyre.bincount(group, minlength=count), first


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None) -> "Any":
    """Values without repeats of the one before, on request with the index of each element and the counts. Along an
    axis: slices."""
    x = ravel(input) if dim is None else asarray(input)
    axis = _axis(0 if dim is None else dim, x.ndim, "unique_consecutive")
    rows = x.movedim(axis, 0).reshape(x.shape[axis], math.prod(x.shape[:axis] + x.shape[axis + 1:]))
    changes = _gyre.any(rows[1:] != rows[:-1], 1).to("i64") if rows.shape[0] > 1 else rows.new_empty(0, dtype="i64")
    group = _gyre.cat([rows.new_zeros(builtins.min(rows.shape[0], 1), dtype="i64"), changes], axis=0).cumsum(0)
    count = int(group[-1]) + 1 if rows.shape[0] else 0
    values = _gyre.index_select(x, _op_searchsorted(group, _gyre.arange(count)), axis=axis)
    more = [r for r, given in ((group.reshape(asarray(input).shape) if dim is None else group, return_inverse),
                               (_op_bincount(group, minlength=count), return_counts)) if given]
    return (values, *more) if more else values


def equal(input, other) -> "bool":
    """Whether both have the same shape and elements: a bool."""
    x, y = asarray(input), asarray(other)
    return x.shape == y.shape and bool(_gyre.all(x == y))


def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False) -> "bool":
    """Whether all elements are equal within tolerances: a bool."""
    return bool(_gyre.all(_gyre.isclose(input, other, rtol, atol, equal_nan)))


def argwhere(input):
    """Indices of the nonzero elements [n, axes]."""
    return nonzero(input)


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Whether each element is one of the test elements."""
    x, tests = asarray(elements), _op_sort(ravel(test_elements)).values
    found = _op_searchsorted(tests, x.reshape(-1), True) > _op_searchsorted(tests, x.reshape(-1))
    found = _gyre.logical_and(found.reshape(x.shape), x == x)  # NaN equals nothing
    return _gyre.logical_not(found) if invert else found


def diff(input, n=1, dim=-1, prepend=None, append=None, *, axis=None):
    """n-th difference along an axis."""
    x, axis = asarray(input), dim if axis is None else axis
    if n < 0:
        raise ValueError(f"diff: expected n of at least 0, got {n}")
    if n == 0:
        return x
    parts = [asarray(part) for part in (prepend, x, append) if part is not None]
    x = parts[0] if len(parts) == 1 else _gyre.cat(parts, axis=axis)
    for _ in range(n):
        after, before = _gyre.slice(x, axis, 1), _gyre.slice(x, axis, 0, builtins.max(x.shape[axis] - 1, 0))
        x = after != before if x.dtype == _gyre.boolean else after - before
    return x


def cov(input, *, correction=1, fweights=None, aweights=None):
    """Covariance matrix of variables (rows) over observations (columns)."""
    x = asarray(input)
    x = x.reshape(1, -1) if x.ndim < 2 else x
    if x.ndim > 2:
        raise ValueError(f"cov: expected at most 2 axes, got {x.ndim}")
    w = None if fweights is None else asarray(fweights).to(x.dtype)
    if aweights is not None:
        w = asarray(aweights).to(x.dtype) if w is None else w * aweights
    if w is None:
        total, centred = float(x.shape[1]), x - x.mean(axis=1, keepdim=True)
        product = centred @ centred.T
        divisor = total - correction
    else:
        total = w.sum()
        centred = x - (x * w).sum(axis=1, keepdim=True) / total
        product = (centred * w) @ centred.T
        divisor = total - correction * (1 if aweights is None else (w * aweights).sum() / total)
    result = product / divisor
    return result.reshape(()) if result.numel() == 1 else result


def corrcoef(input):
    """Correlation matrix of variables (rows) over observations (columns)."""
    return correlation(cov(input))


def correlation(c):
    """The correlation matrix of a covariance matrix."""
    if c.ndim == 0:
        return c / c
    scale = _gyre.sqrt(_gyre.diagonal(c))
    return _gyre.clamp(c / scale.unsqueeze(0) / scale.unsqueeze(1), -1.0, 1.0)


functions = [bincount, cumsum, cumprod, max, min, aminmax, median, nanmedian, sort, argsort, msort, var, std, var_mean, std_mean, norm, dist, nansum,
             nanmean, count_nonzero, quantile, nanquantile, mode, histc, histogram, searchsorted, bucketize, unique,
             unique_consecutive, equal, allclose, argwhere, isin, diff, cov, corrcoef]
methods = [bincount, cumsum, cumprod, max, min, aminmax, median, nanmedian, sort, argsort, msort, var, std, norm, dist, nansum, nanmean, count_nonzero,
           quantile, nanquantile, mode, histc, histogram, unique, unique_consecutive, equal, allclose, argwhere, isin, diff,
           cov, corrcoef]
