"""Python functions applied to elements and slices."""

from gyre import _gyre
from gyre.numpy.dtypes import arrays, tensor
from gyre.numpy.manipulation import axes_of, broadcast_arrays, moveaxis


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """Applies a function to the vectors along an axis; its results take the place of that axis."""
    x = tensor(arr)
    (axis,) = axes_of(axis, x.ndim, "apply_along_axis")
    rows = moveaxis(x, axis, -1)
    results = arrays(*[func1d(row, *args, **kwargs) for row in rows.reshape(-1, rows.shape[-1]).unbind(0)])
    whole = _gyre.stack(*results).reshape(*rows.shape[:-1], *results[0].shape)
    axes = range(results[0].ndim)
    return moveaxis(whole, [rows.ndim - 1 + i for i in axes], [axis + i for i in axes])


def apply_over_axes(func, a, axes):
    """Applies func(a, axis) over axes one after the other; reduced axes stay with size 1."""
    x = tensor(a)
    for axis in axes_of(axes, x.ndim, "apply_over_axes"):
        result = tensor(func(x, axis))
        x = result if result.ndim == x.ndim else result.unsqueeze(axis)
    return x


class vectorize:
    """Function that calls a Python function with the numbers of each element of arrays, which broadcast. Results have
    the dtypes `otypes`, by default those of the numbers that the function returns."""

    def __init__(self, pyfunc, otypes=None, doc=None):
        self.pyfunc, self.otypes = pyfunc, otypes
        self.__doc__ = pyfunc.__doc__ if doc is None else doc
        self.__name__ = getattr(pyfunc, "__name__", "vectorize")

    def __repr__(self):
        return f"vectorize({self.__name__})"

    def __call__(self, *args, **kwargs):
        parts = broadcast_arrays(*args)
        results = [self.pyfunc(*numbers, **kwargs) for numbers in zip(*[x.reshape(-1).tolist() for x in parts])]
        if not results and self.otypes is None:
            raise ValueError("vectorize: expected otypes for arrays without elements")
        several = bool(results) and isinstance(results[0], tuple)
        columns = list(zip(*results)) if several else [results]
        kinds = [None] * len(columns) if self.otypes is None else list(self.otypes)
        made = tuple(tensor(list(column), kind).reshape(parts[0].shape) for column, kind in zip(columns, kinds))
        return made if several else made[0]


def piecewise(x, condlist, funclist, *args, **kw):
    """For each element the function, or number, of the last condition that is true; one more is the default, else 0. The
    result has the dtype of x."""
    x = tensor(x)
    conditions = condlist if isinstance(condlist, (list, tuple)) else [condlist]
    conditions = [tensor(condition, "bool").expand(x.shape) for condition in conditions]
    if len(funclist) == len(conditions) + 1:
        rest = _gyre.ones_like(x, dtype="boolean")
        for condition in conditions:
            rest = _gyre.logical_and(rest, _gyre.logical_not(condition))
        conditions.append(rest)
    if len(funclist) != len(conditions):
        raise ValueError(f"piecewise: expected {len(conditions)} or {len(conditions) + 1} functions for "
                         f"{len(conditions)} conditions, got {len(funclist)}")
    result = _gyre.zeros_like(x)
    for condition, part in zip(conditions, funclist):
        if callable(part):
            place = _gyre.nonzero(condition.reshape(-1)).reshape(-1)
            values = tensor(part(x.reshape(-1)[place], *args, **kw), x.dtype).expand(place.shape)
            result = _gyre.scatter(result.reshape(-1), place, values, axis=0).reshape(x.shape)
        else:
            result = _gyre.where(condition, tensor(part, x.dtype), result)
    return result


functions = [apply_along_axis, apply_over_axes, piecewise]
classes = [vectorize]
