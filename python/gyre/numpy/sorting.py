"""Sorting, searching and sets."""

import collections
import math

from gyre import _gyre
from gyre._functions import reductions as torch_named
from gyre._functions.elementwise import nonzero as _nonzero
from gyre.numpy.dtypes import inexact, operands, tensor
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


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """Sorted unique values that are in both arrays, on request with their first indices in each."""
    x, y = operands(ar1, ar2)
    values, first, _, _ = _unique(x, True)
    common = torch_named.isin(values, y)
    if not return_indices:
        return values[common]
    others, places, _, _ = _unique(y, True)
    return values[common], first[common], places[torch_named.isin(others, x)]


def setdiff1d(ar1, ar2, assume_unique=False):
    """Sorted unique values of the first array that are not in the second."""
    x, y = operands(ar1, ar2)
    x = x.reshape(-1) if assume_unique else _unique(x, True)[0]
    return x[torch_named.isin(x, y, invert=True)]


def setxor1d(ar1, ar2):
    """Sorted unique values that are in exactly one array."""
    return sort(_gyre.cat(*operands(setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))))


functions = [sort, argsort, lexsort, partition, argpartition, searchsorted, digitize, nonzero, argwhere, flatnonzero,
             unique, unique_values, unique_counts, unique_inverse, unique_all, isin, union1d, intersect1d, setdiff1d,
             setxor1d]
