"""Shapes and dtypes of results without running kernels, for PyTorch's fake tensors."""

import torch

import gyre
from gyre.torch._signature import DTYPES, NAMES


def infer(registered, inputs, rest):
    """Empty tensors like the results of a registered op."""
    def ask(value):
        call, _ = registered.call([_plain(v, value) for v in rest])
        try:
            return call.infer(metas(inputs, value, rest[-1]))
        except gyre.UnsupportedError as error:
            if "vmap()" not in str(error):
                raise
            # the op needs the values
            from torch._subclasses.fake_tensor import DynamicOutputShapeException
            raise DynamicOutputShapeException(registered.forward) from error

    return empties(sized(inputs, rest, ask), inputs)


def metas(tensors, value, literals=0):
    """Shapes and dtypes in the format of Call.infer, with sizes from `value`."""
    return tuple(None if x is None else (tuple(value(n) for n in x.shape), gyre_dtype(x.dtype), bool(literals >> i & 1))
                 for i, x in enumerate(tensors))


def gyre_dtype(dtype):
    """The gyre dtype of a PyTorch dtype."""
    return getattr(gyre, NAMES[dtype])


def sized(tensors, rest, ask):
    """[(shape, dtype)] from ask(value), where `value` maps sizes and attributes to numbers."""
    sizes = [n for x in tensors if x is not None for n in x.shape]
    numbers = [n for v in rest for n in (v if isinstance(v, (list, tuple)) else (v,))]
    symbolic = [n for n in (*sizes, *numbers) if isinstance(n, torch.SymInt)]
    if symbolic and all(n.node.hint is not None for n in symbolic):
        from gyre.torch._symbols import Symbols  # imports a slow package
        return Symbols(symbolic).infer(ask)
    return ask(int)


def empties(found, like):
    """Tensors of those shapes and dtypes, on the device of the first of `others`."""
    device = next((x.device for x in like if x is not None), torch.device("cpu"))
    return [torch.empty(shape, dtype=DTYPES[dtype.name], device=device) for shape, dtype in found]


def _plain(v, value):
    if isinstance(v, (list, tuple)):
        return [_plain(n, value) for n in v]
    if isinstance(v, torch.Tensor):  # the seed of a random op
        return None
    return value(v) if isinstance(v, torch.SymInt) else v
