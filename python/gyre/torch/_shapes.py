"""Shapes and dtypes of results that no kernel has computed, for PyTorch's fake tensors."""

import torch
from torch._subclasses.fake_tensor import DynamicOutputShapeException

import gyre
from gyre.torch._signature import DTYPES, NAMES


def infer(registered, inputs, rest):
    """Empty tensors like the results."""
    call, _ = registered.call(_whole(rest))
    metas = tuple(None if x is None else (tuple(int(n) for n in x.shape), getattr(gyre, NAMES[x.dtype]),
                                          bool(rest[-1] >> i & 1)) for i, x in enumerate(inputs))
    try:
        found = call.infer(metas)
    except gyre.ValueError as error:
        if "vmap()" not in str(error):
            raise
        # no shape is known before values are read
        raise DynamicOutputShapeException(registered.forward) from error
    return [torch.empty(shape, dtype=DTYPES[dtype.name]) for shape, dtype in found]


def _whole(rest):
    """Attributes with plain numbers."""
    def plain(v):
        if isinstance(v, (list, tuple)):
            return [plain(n) for n in v]
        if isinstance(v, torch.Tensor):  # a random op's state
            return None
        return int(v) if isinstance(v, torch.SymInt) else v
    return [plain(v) for v in rest]
