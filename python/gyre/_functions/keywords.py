"""Ops with a keyword that PyTorch adds to them: alpha, rounding_mode, dtype, upper."""

import reprlib

from gyre import _gyre
from gyre._gyre import Tensor, asarray


def _extend(ops, keyword, change, default=None):
    """Adds a keyword to ops: if it is given, change(op, value, ...) is called in place of the op."""

    def call(op, *args, **options):
        value = options.pop(keyword)
        return op(*args, **options) if value is None or value == default else change(op, value, *args, **options)

    for op in ops:
        op._extend(keyword, default, call)


def _scaled(op, alpha, input, other):
    return op(input, alpha * other)


def _rounded(op, mode, input, other):
    if mode not in ("floor", "trunc"):
        raise ValueError(f"div: expected rounding_mode None, \"floor\" or \"trunc\", got {reprlib.repr(mode)}")
    down = _gyre.floor_divide(input, other)
    if mode == "floor":
        return down
    if down.is_floating_point():
        return _gyre.trunc(op(input, other))
    return down + _gyre.logical_and(down < 0, down * other != input)


def _rounded_in_place(op, mode, self, other):
    return self.copy_(_rounded(_gyre.div, mode, self, other))


def _cast(op, dtype, input, *args, **options):
    return op(asarray(input).to(dtype), *args, **options)


def _transposed(op, upper, input):
    return op(input).mT


_extend((_gyre.add, _gyre.sub, Tensor.add_, Tensor.sub_), "alpha", _scaled, 1)
_extend((_gyre.div,), "rounding_mode", _rounded)
_extend((Tensor.div_,), "rounding_mode", _rounded_in_place)
_extend((_gyre.sum, _gyre.mean, _gyre.prod, _gyre.cumsum, _gyre.cumprod, _gyre.softmax, _gyre.log_softmax), "dtype", _cast)
_extend((_gyre.cholesky,), "upper", _transposed, False)
functions = methods = []
