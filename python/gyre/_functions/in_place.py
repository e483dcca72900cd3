"""In-place methods of PyTorch: of functions that have no in-place op, and of shapes."""

import math

from gyre import _gyre
from gyre._functions.settings import can_cast
from gyre._gyre import Tensor


def _writing(name):
    def write(self, *args, **kwargs):
        recorded = _gyre.is_grad_enabled() and any(
            isinstance(x, Tensor) and x.requires_grad for x in (self, *args, *kwargs.values()))
        before = self.clone() if recorded else self  # backward may need what is overwritten
        result = getattr(before, name)(*args, **kwargs)
        if not can_cast(result.dtype, self.dtype):
            raise TypeError(f"{name}_: the result is {result.dtype.name}, which {self.dtype.name} cannot hold")
        return self.copy_(result)

    write.__name__ = write.__qualname__ = f"{name}_"
    write.__doc__ = f"In-place version of {name}."
    return write


def _become(self, other):
    """Makes the Python object `self` another tensor."""
    from gyre.nn.module import Module

    # As the cast of a module does with its buffers; a tensor's shape itself never changes.
    holder = Module()
    holder.__dict__["tensor"] = self
    holder._kinds["tensor"] = "buffer"
    holder._put({"tensor": other})
    return self


def _reshaping(name):
    def reshape(self, *args, **kwargs):
        if self.is_leaf and self.requires_grad or isinstance(self, _gyre._nn.Parameter):
            raise ValueError(f"{name}_: a parameter, or a leaf that requires grad, keeps its shape; use {name}()")
        return _become(self, getattr(self, name)(*args, **kwargs))

    reshape.__name__ = reshape.__qualname__ = f"{name}_"
    reshape.__doc__ = f"In-place version of {name}: this object gets the new shape, other objects of the tensor keep theirs."
    return reshape


def resize_(self, *size, memory_format=None):
    """Gives this object another shape: the first elements in row-major order and, if there are too few, zeros in new
    memory."""
    if self.requires_grad:
        raise ValueError("resize_: a tensor tracked by autograd keeps its shape; use reshape()")
    shape = tuple(size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size)
    if any(n < 0 for n in shape):
        raise ValueError(f"resize_: expected sizes of at least 0, got {list(shape)}")
    count, elements = math.prod(shape), self.reshape(-1)
    if count > self.numel():
        elements = _gyre.cat([elements, self.new_zeros(count - self.numel())])
    x = elements[:count].reshape(shape)
    return _become(self, x if memory_format is None else x.contiguous(memory_format=memory_format))


def resize_as_(self, the_template, *, memory_format=None):
    """resize_() to the shape of another tensor."""
    return resize_(self, the_template.shape, memory_format=memory_format)


def detach_(self):
    """Detaches this object from its autograd graph; a leaf no longer requires grad."""
    return self.requires_grad_(False) if self.is_leaf else _become(self, self.detach())


_writers = [_writing(name) for name in (
    "addbmm", "addmm", "addmv", "addr", "baddbmm", "bitwise_not", "clamp_max", "clamp_min", "copysign", "cumprod", "cumsum",
    "deg2rad", "eq", "float_power", "frac", "gcd", "ge", "greater", "greater_equal", "gt", "heaviside", "hypot", "index_add",
    "index_copy", "index_fill", "index_put", "lcm", "ldexp", "le", "less", "less_equal", "log10", "logical_and", "logical_not",
    "logical_or", "logical_xor", "logit", "lt", "masked_fill", "masked_scatter", "mvlgamma", "nan_to_num", "ne", "not_equal",
    "polygamma", "put", "rad2deg", "renorm", "scatter", "scatter_add", "scatter_reduce", "sinc", "tril", "triu", "xlogy")]
_reshapers = [_reshaping(name) for name in ("squeeze", "swapaxes", "swapdims", "t", "transpose", "unsqueeze")]
functions = []
methods = [*_writers, *_reshapers, resize_, resize_as_, detach_]
