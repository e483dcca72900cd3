"""NumPy's functions on gyre's tensors, with NumPy's names, arguments, default dtypes and type promotion; a namespace of
the Python array API standard.

Functions take tensors, arrays, numbers and nested lists and return tensors; gradients flow through them. Python floats
and new tensors are f64, as in NumPy.
"""

from gyre.numpy import (
    creation, dtypes, elementwise, fft, files, grids, kinds, lib, linalg, manipulation, mapping, padding, polynomials, products,
    random, reductions, settings, sorting, statistics, testing, ufunc_methods, windows)

_api_versions = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
__array_api_version__ = _api_versions[-1]
pi, e, inf, nan, newaxis = 3.141592653589793, 2.718281828459045, float("inf"), float("nan"), None
euler_gamma = 0.5772156649015329
_modules = (creation, dtypes, elementwise, files, grids, kinds, manipulation, mapping, padding, polynomials, products,
            reductions, settings, sorting, statistics, windows)
functions = {f.__name__: f for module in _modules for f in module.functions}
functions.update(elementwise.ufuncs)
classes = {c.__name__: c for module in _modules for c in getattr(module, "classes", ())}
_dtypes = {**dtypes.BY_NAME, **{other: dtypes.BY_NAME[name] for other, name in dtypes.OTHER_NAMES.items()}}
globals().update({**functions, **classes, **_dtypes, **grids.constants})
ndarray = dtypes.Tensor
constants = ("pi", "e", "inf", "nan", "newaxis", "euler_gamma", *grids.constants)
__all__ = sorted([*functions, *classes, *_dtypes, *constants, "ndarray", "fft", "lib", "linalg", "random", "testing"])


def __getattr__(name):
    if name in dtypes.ABSENT_NAMES:
        raise AttributeError(f"gyre.numpy has no {name}: {dtypes.WHAT_IS_ABSENT}")
    raise AttributeError(f"module gyre.numpy has no attribute {name}")


def __dir__():
    return __all__
