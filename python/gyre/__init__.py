"""gyre: tensors, gradients and the ops of gyre's table, sharing memory with NumPy and PyTorch.

Every op is a function here (`gyre.softmax(x, axis=-1)`) and, where it takes a tensor first, a method
(`x.softmax()`); `gyre.ops()` lists them with arguments, attributes, docs and samples.
"""

import builtins
from typing import Any as _Any, Callable as _Callable, Optional as _Optional

from gyre import _gyre
from gyre._gyre import *  # noqa: F403
from gyre import data as data, func as func, nn as nn, optim as optim


def ops() -> "tuple[_gyre.Op, ...]":
    """Every op of the table, in its order: callables that tell their name, doc, arguments, ..."""
    return _gyre._ops


def register_op(name: str, forward: _Callable[..., _Any], backward: _Optional[_Callable[..., _Any]] = None,
                doc: str = "") -> _gyre.Op:
    """Adds an op to the table: `forward(*inputs)` out of gyre's ops, differentiated by its parts or by
    `backward(inputs, results, cotangents)`, which gives a cotangent (or None) for each input. It is
    `gyre.NAME` then, stands in `gyre.ops()` and stays for as long as the process runs."""
    import inspect  # which takes as long to import as all of gyre

    parameters = inspect.signature(forward).parameters.values()
    # all is an op here
    fixed = builtins.all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    op = _gyre._register_op(name, forward, backward, doc, [p.name for p in parameters] if fixed else [])
    _gyre._ops += (op,)
    globals().setdefault(name, op)
    return op
