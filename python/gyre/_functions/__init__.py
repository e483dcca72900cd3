"""Functions and methods by the names of PyTorch and NumPy that are combinations of ops, or other forms of them.

Each module lists its functions in `functions`, which become gyre.NAME, and in `methods` those that are also methods of
Tensor under the same name. Together with the aliases of ops (gyre/ops/aliases.def) these are all of gyre's names.
"""

import functools
import importlib
import pkgutil

from gyre import _gyre
from gyre._gyre import Tensor


def op_named(name):
    """The op of the table, to which pickles refer."""
    return next(op for op in _gyre._ops if op.name == name)


_all = (importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__))
MODULES = [module for module in _all if hasattr(module, "functions")]
functions = {f.__name__: f for module in MODULES for f in module.functions}
methods = {f.__name__: f for module in MODULES for f in module.methods}
constants = {name: value for module in MODULES for name, value in getattr(module, "constants", {}).items()}


def _of_tensors(method):
    """A method that refuses Tensor.method(x) for another x."""

    @functools.wraps(method)
    def call(self, *args, **kwargs):
        if not isinstance(self, Tensor):
            raise TypeError(f"{method.__name__}: expected a gyre.Tensor, got {type(self).__name__}")
        return method(self, *args, **kwargs)

    return call


for _name, _method in methods.items():
    if _method.__code__.co_varnames[:1] == ("self",):
        _method = methods[_name] = _of_tensors(_method)
    setattr(Tensor, _name, _method)
for _module in MODULES:
    for _name, _value in getattr(_module, "properties", {}).items():
        setattr(Tensor, _name, _value)
