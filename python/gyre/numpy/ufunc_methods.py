"""Methods of the universal functions of two arguments: add.reduce, add.accumulate, add.reduceat, add.at."""

from gyre import _gyre
from gyre.numpy import reductions
from gyre.numpy.dtypes import tensor
from gyre.numpy.elementwise import finished, ufuncs, writable
from gyre.numpy.manipulation import axes_of, moveaxis

# what computes them at once, by the function's name: reduce, accumulate, and how scatter_reduce names it
_AT_ONCE = {"add": (reductions.sum, reductions.cumsum, "sum"), "multiply": (reductions.prod, reductions.cumprod, "prod"),
            "maximum": (reductions.max, None, "amax"), "minimum": (reductions.min, None, "amin"),
            "logical_and": (reductions.all, None, None), "logical_or": (reductions.any, None, None)}


def _named(ufunc, method, doc):
    method.__qualname__ = f"{ufunc.__name__}.{method.__name__}"
    method.__doc__ = doc
    setattr(ufunc, method.__name__, method)


def _one_by_one(ufunc):
    def reduction(array, axis=0, dtype=None, out=None, keepdims=False, initial=None):
        x = tensor(array, dtype)
        axes = tuple(range(x.ndim)) if axis is None else axes_of(axis, x.ndim, ufunc.__name__)
        kept = [i for i in range(x.ndim) if i not in axes]
        parts = list(x.permute([*axes, *kept]).reshape(-1, *[x.shape[i] for i in kept]).unbind(0))
        parts = parts if initial is None else [tensor(initial), *parts]
        if not parts:
            raise ValueError(f"{ufunc.__name__}.reduce: expected elements or initial, got none")
        result = parts[0]
        for part in parts[1:]:
            result = ufunc(result, part)
        return finished(ufunc.__name__, result.reshape([1 if i in axes else n for i, n in enumerate(x.shape)])
                        if keepdims else result, out)

    return reduction


def _running(ufunc):
    def running(array, axis=0, dtype=None, out=None):
        x = tensor(array, dtype)
        (axis,) = axes_of(axis, x.ndim, ufunc.__name__)
        parts = []
        for part in x.unbind(axis):
            parts.append(ufunc(parts[-1], part) if parts else part)
        return finished(ufunc.__name__, _gyre.stack(*parts, axis=axis) if parts else x, out)

    return running


def _add_methods(ufunc, reduction=None, running=None, scattered=None):
    reduction, running, name = reduction or _one_by_one(ufunc), running or _running(ufunc), ufunc.__name__

    def reduce(array, axis=0, **options):
        return reduction(array, axis, **options)

    def accumulate(array, axis=0, **options):
        return running(array, axis, **options)

    def reduceat(array, indices, axis=0, dtype=None, out=None):
        x = moveaxis(tensor(array, dtype), axis, 0)
        starts = tensor(indices).tolist()
        parts = [reduction(x[a:b], 0) if a < b else x[a] for a, b in zip(starts, [*starts[1:], x.shape[0]])]
        return finished(name, moveaxis(_gyre.stack(*parts), 0, axis), out)

    def at(a, indices, b):
        x = writable(a)
        places = _gyre.arange(x.numel()).reshape(x.shape)[tensor(indices) if isinstance(indices, list) else indices]
        values, places = tensor(b).expand(places.shape).reshape(-1), places.reshape(-1)
        flat = x.reshape(-1)
        if scattered is not None:
            flat = _gyre.scatter_reduce(flat, places, values.to(x.dtype), axis=0, reduce=scattered)
        else:
            for place, value in zip(places.tolist(), values.unbind(0)):
                flat[place] = ufunc(flat[place], value)
        x.copy_(flat.reshape(x.shape))

    _named(ufunc, reduce, f"{name} of all elements along axes, axis 0 by default.")
    _named(ufunc, accumulate, f"Running {name} along an axis, 0 by default.")
    _named(ufunc, reduceat, f"{name} of the slices from each index to the next.")
    _named(ufunc, at, f"In-place {name} at indices, each time that an index occurs.")


for _name, _ufunc in ufuncs.items():
    if hasattr(_ufunc, "outer") and _name == _ufunc.__name__:
        _add_methods(_ufunc, *_AT_ONCE.get(_name, ()))
