"""Running reductions along an axis, each in log2(n) steps that combine windows of twice the size."""

import builtins

from gyre import _gyre
from gyre._functions.shapes import _axis
from gyre._gyre import asarray, return_types

_pair = return_types.sort  # values and indices


def _running(name, exceeds, word):
    def running(input, dim) -> "tuple[Tensor, Tensor]":
        x = asarray(input)
        axis = _axis(dim, x.ndim, name)
        if x.ndim == 0:
            return _pair((x, x.new_zeros((), dtype="i64")))
        n, known = x.shape[axis], x.detach()
        places = _gyre.arange(n).reshape([-1 if i == axis else 1 for i in range(x.ndim)]).expand(x.shape)
        step = 1
        while step < n:
            late, early = _gyre.slice(places, axis, step), _gyre.slice(places, axis, 0, n - step)
            new, old = (_gyre.gather(known, at, axis=axis) for at in (late, early))
            keep = exceeds(old, new) | (_gyre.isnan(old) & ~_gyre.isnan(new))
            places = _gyre.cat([_gyre.slice(places, axis, 0, step), _gyre.where(keep, early, late)], axis=axis)
            step *= 2
        return _pair((_gyre.gather(x, places, axis=axis), places))

    running.__name__ = running.__qualname__ = name
    running.__doc__ = f"{word} of the elements so far along an axis, and its index, of equals the last: (values, indices)."
    return running


cummax = _running("cummax", _gyre.gt, "Maximum")
cummin = _running("cummin", _gyre.lt, "Minimum")


def logcumsumexp(input, dim):
    """log(cumsum(exp(x))) along an axis, without overflow."""
    x = asarray(input)
    axis = _axis(dim, x.ndim, "logcumsumexp")
    step, n = 1, x.shape[axis] if x.ndim else 1
    while step < n:
        sums = _gyre.logaddexp(_gyre.slice(x, axis, step), _gyre.slice(x, axis, 0, builtins.max(n - step, 0)))
        x = _gyre.cat([_gyre.slice(x, axis, 0, step), sums], axis=axis)
        step *= 2
    return x


functions = methods = [cummax, cummin, logcumsumexp]
