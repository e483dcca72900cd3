"""Ops with a keyword that PyTorch adds to them: alpha, rounding_mode, dtype, upper."""

from gyre import _gyre
from gyre._gyre import Tensor, asarray


def _extended(op, name, doc, change, key, default=None):
    """The op with a keyword; if it is given, change(op, value, ...) is called in place of the op."""

    def call(*args, **options):
        value = options.pop(key, default)
        return op(*args, **options) if value is None or value == default else change(op, value, *args, **options)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{op.__doc__}\n\n{doc}."
    call.__wrapped__, call.__kwdefaults__ = op, {key: default}  # the signature is the op's, with the keyword in stubs
    return call


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
    *(_extended(op, name, _ALPHA, _scaled, "alpha", 1) for op, name in (
        (_gyre.add, "add"), (_gyre.sub, "sub"), (_gyre.sub, "subtract"))),
    *(_extended(_gyre.div, name, _MODE, _rounded, "rounding_mode") for name in ("div", "divide")),
    *(_extended(getattr(_gyre, name), name, "dtype: cast the input first", _cast, "dtype") for name in (
        "sum", "mean", "prod", "cumsum", "cumprod", "softmax", "log_softmax")),
    _extended(_gyre.cholesky, "cholesky", "upper: its transpose", _transposed, "upper", False),
]
globals().update({f.__name__: f for f in functions})  # where pickles look for them
methods = [
    *functions, *(_extended(op, op.name, _ALPHA, _scaled, "alpha", 1) for op in (Tensor.add_, Tensor.sub_)),
    _extended(Tensor.div_, "div_", _MODE, _rounded_in_place, "rounding_mode"),
]
