"""gyre: tensors, gradients and the ops of gyre's table, sharing memory with NumPy and PyTorch.

Every op is a function here (`gyre.softmax(x, axis=-1)`) and, where it takes a tensor first, a method
(`x.softmax()`); `gyre.ops()` lists them with arguments, attributes, docs and samples.
"""

import builtins

from gyre import _gyre
from gyre._gyre import *  # noqa: F403

__version__ = _gyre._version
TYPE_CHECKING = False  # for type checkers true, as in typing, whose import would double that of gyre
if TYPE_CHECKING:
    from typing import Any, Callable

    from gyre import data as data, func as func, hyperbolic as hyperbolic, models as models, nn as nn, optim as optim
    from gyre.models import *  # noqa: F403
else:
    def __getattr__(name):
        """The package's modules (gyre.nn, gyre.func, ...) and what stands in gyre.models, imported when they
        are first asked for."""
        import importlib

        whole = f"{__name__}.{name}"
        if not name.startswith("_"):
            try:
                return importlib.import_module(whole)
            except ModuleNotFoundError as error:
                if error.name != whole:  # what that module needs
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
    """Every op of the table, in its order: callables that tell their name, doc, arguments, ..."""
    return _gyre._ops


def register_op(name: str, forward: "Callable[..., Any]", backward: "Callable[..., Any] | None" = None,
                doc: str = "") -> _gyre.Op:
    """Adds an op to the table: `forward(*inputs)` out of gyre's ops, differentiated by its parts or by
    `backward(inputs, results, cotangents)`, which gives a cotangent (or None) for each input. It is
    `gyre.NAME` then, stands in `gyre.ops()` and stays for as long as the process runs."""
    import inspect  # which takes as long to import as all of gyre
    import keyword
    import sys

    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise ValueError(f"an op is called by a name of Python's that does not begin with _, not {name!r}")
    taken = getattr(sys.modules[__name__], name, None)
    if taken is not None and not isinstance(taken, _gyre.Op):  # the table knows its ops
        raise ValueError(f"gyre.{name} is something else already")
    parameters = inspect.signature(forward).parameters.values()
    # all is an op here
    fixed = builtins.all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    op = _gyre._register_op(name, forward, backward, doc, [p.name for p in parameters] if fixed else [])
    _gyre._ops += (op,)
    globals()[name] = op
    return op
