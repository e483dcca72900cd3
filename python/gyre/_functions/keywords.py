"""Ops with a keyword that PyTorch adds to them: alpha, rounding_mode, dtype, upper."""

import types

from gyre import _gyre
from gyre._gyre import Tensor, asarray


class _Extended:
    """An op with one more keyword; if it is given, change(op, value, ...) is called in place of the op. What else an op
    tells (doc, attributes, ...) is the op's."""

    def __init__(self, op, name, doc, change, key, default=None):
        self._change, self._key, self._default = change, key, default
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"{op.__doc__}\n\n{doc}."
        self.__module__ = __name__
        self.__wrapped__, self.__kwdefaults__ = op, {key: default}  # the signature is the op's, with the keyword in stubs

    def __call__(self, *args, **options):
        value = options.pop(self._key, self._default)
        if value is None or value == self._default:
            return self.__wrapped__(*args, **options)
        return self._change(self.__wrapped__, value, *args, **options)

    def __get__(self, owner, cls=None):
        return self if owner is None else types.MethodType(self, owner)

    def __getattr__(self, name):
        return getattr(self.__dict__["__wrapped__"], name)

    def __reduce__(self):
        return self.__name__

    def __repr__(self):
        return repr(self.__wrapped__)


def _scaled(op, alpha, input, other):
    return op(input, alpha * other)


def _rounded(op, mode, input, other):
    if mode not in ("floor", "trunc"):
        raise ValueError(f"div: expected rounding_mode None, \"floor\" or \"trunc\", got {mode!r}")
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


_ALPHA, _MODE = "alpha: a factor of the second", "rounding_mode: \"floor\", or \"trunc\" for towards zero"
functions = [
    *(_Extended(op, name, _ALPHA, _scaled, "alpha", 1) for op, name in (
        (_gyre.add, "add"), (_gyre.sub, "sub"), (_gyre.sub, "subtract"))),
    *(_Extended(_gyre.div, name, _MODE, _rounded, "rounding_mode") for name in ("div", "divide")),
    *(_Extended(getattr(_gyre, name), name, "dtype: cast the input first", _cast, "dtype") for name in (
        "sum", "mean", "prod", "cumsum", "cumprod", "softmax", "log_softmax")),
    _Extended(_gyre.cholesky, "cholesky", "upper: its transpose", _transposed, "upper", False),
]
globals().update({f.__name__: f for f in functions})  # where pickles look for them
methods = [
    *functions, *(_Extended(op, op.name, _ALPHA, _scaled, "alpha", 1) for op in (Tensor.add_, Tensor.sub_)),
    _Extended(Tensor.div_, "div_", _MODE, _rounded_in_place, "rounding_mode"),
]
