"""gyre: tensors and ops with automatic differentiation, sharing memory with NumPy and PyTorch.

Every op is a function here (`gyre.softmax(x, axis=-1)`) and, if its first argument is a tensor, a method
(`x.softmax()`); `gyre.ops()` lists them with arguments, attributes, docs and samples.
"""

import builtins

from gyre import _display as _display, _gyre
from gyre._gyre import *  # noqa: F403

__version__ = _gyre._version
TYPE_CHECKING = False  # true for type checkers; importing typing would double the import time
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

    from gyre import data as data, func as func, hyperbolic as hyperbolic, logic as logic, models as models, nn as nn
    from gyre import numpy as numpy, optim as optim, packed as packed, random as random, utils as utils
    from gyre.models import *  # noqa: F403
else:
    from gyre._functions import constants as _constants, functions as _functions_by_name

    globals().update({**_functions_by_name, **_constants})

    def __getattr__(name):
        """Imports submodules (gyre.nn, gyre.func, ...) and the names of gyre.models on first access."""
        import importlib

        whole = f"{__name__}.{name}"
        if not name.startswith("_"):
            try:
                return importlib.import_module(whole)
            except ModuleNotFoundError as error:
                if error.name != whole:  # a dependency of that module is missing
                    raise
            models = importlib.import_module(f"{__name__}.models")
            if name in models.__all__:
                return getattr(models, name)
        raise AttributeError(f"module {__name__} has no attribute {name}")

    def __dir__():
        import pkgutil

        modules = {module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")}
        return sorted({*globals(), *modules, *__getattr__("models").__all__})


def ops() -> "tuple[_gyre.Op, ...]":
    """All ops of the op table in order: callables with the attributes name, doc, arguments, ..."""
    return _gyre._ops


def register_op(name: str, forward: "Callable[..., Any]", backward: "Callable[..., Any] | None" = None,
                doc: str = "", packed: "Sequence[str]" = ()) -> _gyre.Op:
    """Registers an op: `forward(*inputs)` is composed of gyre's ops and differentiated through them, or by
    `backward(inputs, results, cotangents)`, which returns a cotangent (or None) for each input. The parameters of
    forward named in `packed` also take packed weights (gyre.packed) as they are. The op is available as `gyre.NAME`
    and in `gyre.ops()` until the process ends."""
    import inspect  # takes as long to import as all of gyre
    import keyword
    import sys

    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise ValueError(f"expected an identifier that does not start with _ as op name, got {name!r}")
    taken = getattr(sys.modules[__name__], name, None)
    if taken is not None and not isinstance(taken, _gyre.Op):  # the op table reports duplicates
        raise ValueError(f"gyre.{name} exists already and is not an op")
    parameters = inspect.signature(forward).parameters.values()
    # builtins, because `all` is an op here
    fixed = builtins.all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    names = [p.name for p in parameters] if fixed else []
    if unknown := [p for p in packed if p not in names]:
        raise ValueError(f"expected in packed the name of a parameter of forward, got {unknown[0]!r}")
    op = _gyre._register_op(name, forward, backward, doc, names, list(packed))
    _gyre._ops += (op,)
    globals()[name] = op
    return op
