"""Arrays extended at the ends of their axes."""

import reprlib

from gyre import _gyre
from gyre._functions import shapes as torch_named
from gyre.numpy.dtypes import tensor


def _reflected(i, n):
    i = i % max(2 * (n - 1), 1)
    return _gyre.minimum(i, 2 * (n - 1) - i)


def _symmetric(i, n):
    i = i % (2 * n)
    return _gyre.minimum(i, 2 * n - 1 - i)


_PLACES = {"edge": lambda i, n: _gyre.clamp(i, 0, n - 1), "wrap": lambda i, n: i % n, "reflect": _reflected,
           "symmetric": _symmetric}


def _pairs(width, rank, name):
    if isinstance(width, dict):
        given = {torch_named._axis(axis, rank, name): pair for axis, pair in width.items()}
        return [given[i] if isinstance(given.get(i), (tuple, list)) else (given.get(i, 0),) * 2 for i in range(rank)]
    widths = tensor(width)
    widths = widths.reshape(1, 1) if widths.ndim == 0 else widths.reshape(1, -1) if widths.ndim == 1 else widths
    return widths.expand(rank, 2).tolist()


def _ramp(end, edge, n, axis):
    """n numbers from `end` towards the edge, which is not among them."""
    shape = [-1 if i == axis else 1 for i in range(edge.ndim)]
    share = _gyre.arange(n).to("f64").reshape(shape) / max(n, 1)
    ramp = end + (edge.to("f64") - end) * share
    return (ramp if edge.is_floating_point() else _gyre.floor(ramp)).to(edge.dtype)


def _padded_by(x, widths, side):
    """Padded along each axis by side(x, axis, n, whether it is the end)."""
    for axis, (before, after) in enumerate(widths):
        x = _gyre.cat(side(x, axis, before, 0), x, side(x, axis, after, 1), axis=axis)
    return x


def _statistic(mode, lengths):
    def side(x, axis, n, end):
        count = x.shape[axis] if lengths is None else min(lengths[axis][end], x.shape[axis])
        part = _gyre.slice(x, axis, x.shape[axis] - count) if end else _gyre.slice(x, axis, 0, count)
        value = _STATISTICS[mode](part, axis)
        return value.to(x.dtype).expand([n if i == axis else size for i, size in enumerate(x.shape)])

    return side


def _rounded(value, x):
    return value if x.is_floating_point() else _gyre.round(value)


def _mean(x, axis):
    return _rounded(_gyre.mean(x.to("f64"), axis, True), x)


def _median(x, axis):
    low, high = (_gyre.quantile(x.to("f64"), 0.5, axis, True, side) for side in ("lower", "higher"))
    return _rounded((low + high) / 2, x)


_STATISTICS = {"maximum": lambda x, axis: _gyre.max(x, axis, True), "minimum": lambda x, axis: _gyre.min(x, axis, True),
               "mean": _mean, "median": _median}


def pad(array, pad_width, mode="constant", *, constant_values=0, end_values=0, stat_length=None):
    """Padded at both ends of axes: modes constant, edge (the last element), reflect (without it), symmetric, wrap,
    linear_ramp (to end_values), maximum, minimum, mean and median (of the stat_length elements next to the edge, by default
    all), empty."""
    x = tensor(array)
    widths = _pairs(pad_width, x.ndim, "pad")
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError(f"pad: expected widths of at least 0, got {pad_width}")
    if mode in ("constant", "empty"):
        for axis, ((before, after), (low, high)) in enumerate(zip(widths, _pairs(constant_values, x.ndim, "pad"))):
            sides = [_gyre.full([n if i == axis else size for i, size in enumerate(x.shape)], value, dtype=x.dtype, device=x.device)
                     for n, value in ((before, low), (after, high))]
            x = _gyre.cat(sides[0], x, sides[1], axis=axis)
        return x
    if mode == "linear_ramp":
        ends = _pairs(end_values, x.ndim, "pad")

        def ramp(x, axis, n, end):
            edge = _gyre.slice(x, axis, x.shape[axis] - 1) if end else _gyre.slice(x, axis, 0, 1)
            side = _ramp(ends[axis][end], edge, n, axis)
            return _gyre.flip(side, axis) if end else side

        return _padded_by(x, widths, ramp)
    if mode in _STATISTICS:
        return _padded_by(x, widths, _statistic(mode, None if stat_length is None else _pairs(stat_length, x.ndim, "pad")))
    if mode not in _PLACES:
        modes = ", ".join(("constant", "empty", "linear_ramp", *_STATISTICS, *_PLACES))
        raise ValueError(f"pad: expected mode {modes}, got {reprlib.repr(mode)}")
    for axis, (before, after) in enumerate(widths):
        if before or after:
            n = x.shape[axis]
            x = _gyre.index_select(x, _PLACES[mode](_gyre.arange(-before, n + after), n), axis)
    return x


functions = [pad]
