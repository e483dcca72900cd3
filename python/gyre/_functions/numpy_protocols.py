"""NumPy's functions called with tensors: numpy.exp(x), array * x. They give tensors, by gyre's functions of the same
name."""

import reprlib

import gyre
from gyre import _gyre
from gyre._gyre import Tensor

# numpy.add(array, x) is array + x, with the dtype that the operator gives
_OPERATORS = {name: getattr(_gyre, name) for name in (
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "matmul", "negative", "absolute", "not_equal",
    "less", "less_equal", "greater", "greater_equal", "bitwise_and", "bitwise_or", "bitwise_xor")}
_OPERATORS.update(equal=_gyre.eq, power=_gyre.pow, left_shift=_gyre.shift_left, right_shift=_gyre.shift_right,
                  invert=_gyre.bitwise_not)


def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options) -> "Any":
    """Applies gyre's function with the name of NumPy's universal function."""
    f = _OPERATORS.get(ufunc.__name__)
    if f is None or method != "__call__" or options:
        f = getattr(gyre.numpy, ufunc.__name__, None)
        f = f if method == "__call__" else getattr(f, method, None)
    if f is None:
        call = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        raise TypeError(f"numpy.{call}: gyre has no function of that name; pass x.numpy()")
    result = f(*inputs, **options)
    if out is None:
        return result
    for target, part in zip(out, result if isinstance(result, tuple) else (result,)):
        _written(target, part)
    return out[0] if len(out) == 1 else out


def _written(target, result):
    if isinstance(target, Tensor):
        target.copy_(result)
    else:
        target[...] = result.numpy()


def __array_function__(self, func, types, args, kwargs) -> "Any":
    """Applies the function of gyre.numpy with the name of NumPy's function, which is called with an array if there is
    none."""
    f = _namesake(func)
    if f is not None:
        return f(*args, **kwargs)
    return func(*map(_array, args), **{name: _array(value) for name, value in kwargs.items()})


def _namesake(func):
    place, found = (func.__module__ or "").split("."), gyre.numpy
    for name in (*place[1:], func.__name__):
        found = getattr(found, name, None)
    return found if place[0] == "numpy" else None


def _array(value):
    if isinstance(value, Tensor):
        return value.numpy()
    return type(value)(map(_array, value)) if type(value) in (list, tuple) else value


def __array_namespace__(self, *, api_version=None) -> "Any":
    """The module gyre.numpy, a namespace of the Python array API standard."""
    if api_version not in (None, *gyre.numpy._api_versions):
        raise ValueError(f"expected a version up to {gyre.numpy.__array_api_version__}, got {reprlib.repr(api_version)}")
    return gyre.numpy


def __complex__(self) -> "complex":
    """The only element as a Python number: complex(x)."""
    return complex(self.item())


def to_device(self, device, *, stream=None):
    """Copy on a device."""
    return self.to(device=device)


functions = []
methods = [__array_ufunc__, __array_function__, __array_namespace__, __complex__, to_device]
