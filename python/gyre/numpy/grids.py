"""Grids of numbers by subscripts, joins by subscripts, and iteration over indices."""

import itertools

from gyre import _gyre
from gyre.numpy.creation import arange, linspace, meshgrid
from gyre.numpy.dtypes import operands, tensor
from gyre.numpy.manipulation import concatenate


def _line(part):
    """The numbers of a slice; an imaginary step is their number, with the end included."""
    start, step = 0 if part.start is None else part.start, 1 if part.step is None else part.step
    return linspace(start, part.stop, int(abs(step))) if isinstance(step, complex) else arange(start, part.stop, step)


class _Grid:
    def __init__(self, sparse):
        self._sparse = sparse

    def __getitem__(self, key):
        if isinstance(key, slice):
            return _line(key)
        grids = meshgrid(*operands(*map(_line, key)), indexing="ij", sparse=self._sparse)
        return grids if self._sparse else _gyre.stack(*grids)


class _Join:
    def __init__(self, name, column):
        self._name, self._column = name, column

    def __getitem__(self, key):
        parts = [_line(part) if isinstance(part, slice) else part for part in (key if isinstance(key, tuple) else (key,))]
        if any(isinstance(part, str) for part in parts):
            raise TypeError(f"{self._name}: expected slices, numbers and arrays, got a str; use concatenate or stack")
        parts = operands(*[part if isinstance(part, (int, float)) else tensor(part) for part in parts])
        least = 2 if self._column else 1
        parts = [part.reshape([-1, 1] if self._column else [-1]) if part.ndim < least else part for part in parts]
        return concatenate(parts, -1 if self._column else 0)


class _Subscripts:
    def __init__(self, always_tuple):
        self._always_tuple = always_tuple

    def __getitem__(self, key):
        return (key,) if self._always_tuple and not isinstance(key, tuple) else key


mgrid, ogrid = _Grid(False), _Grid(True)
r_, c_ = _Join("r_", False), _Join("c_", True)
s_, index_exp = _Subscripts(False), _Subscripts(True)


def ndindex(*shape):
    """Iterator over the indices of the elements of a shape, as tuples."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return itertools.product(*map(range, sizes))


def ndenumerate(arr):
    """Iterator over the indices and elements of an array."""
    x = tensor(arr)
    return ((place, x[place]) for place in ndindex(*x.shape))


constants = {"mgrid": mgrid, "ogrid": ogrid, "r_": r_, "c_": c_, "s_": s_, "index_exp": index_exp}
functions = [ndindex, ndenumerate]
