"""gyre: tensors, gradients and the ops of gyre's table, sharing memory with NumPy and PyTorch.

Every op is a function here (`gyre.softmax(x, axis=-1)`) and, where it takes a tensor first, a method
(`x.softmax()`); `gyre.ops()` lists them with arguments, attributes, docs and samples.
"""

from gyre import _gyre
from gyre._gyre import *  # noqa: F403


def ops():
    """Every op of the table, in its order: callables that tell their name, doc, arguments, ..."""
    return _gyre._ops


def _dtype_names():
    """float32 for f32 and so on: the names of NumPy and PyTorch."""
    kinds = {"f": "float", "bf": "bfloat", "i": "int", "u": "uint"}
    for dtype in _gyre.DType:
        kind = dtype.name.rstrip("0123456789")
        yield kinds.get(kind, kind) + dtype.name[len(kind):], dtype


globals().update(_dtype_names())
