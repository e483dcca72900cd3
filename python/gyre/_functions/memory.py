"""Conversions and copies with PyTorch's arguments: flags by position, and the order of elements in memory."""

from gyre import _gyre
from gyre._gyre import Tensor, asarray


class memory_format:
    """Order of the elements of a result in memory: gyre.contiguous_format, channels_last, channels_last_3d or
    preserve_format."""

    def __init__(self, name, axes=None):
        self.name, self._axes = name, axes

    def __repr__(self):
        return f"gyre.{self.name}"

    def of(self, x):
        """The tensor with its elements in this order, a copy if they are not."""
        if self._axes is None:
            return x if self.name == "preserve_format" else _contiguous(x)
        if x.ndim != self._axes:
            raise ValueError(f"{self.name}: expected {self._axes} axes, got {list(x.shape)}")
        return _contiguous(x.movedim(1, -1)).movedim(-1, 1)


def _formatted(x, order):
    if not isinstance(order, memory_format):
        raise TypeError(f"expected a memory_format such as gyre.contiguous_format, got {type(order).__name__}")
    return order.of(x)


_contiguous, _to = Tensor.contiguous, Tensor.to


def _with_format(name):
    method = getattr(Tensor, name)

    def convert(self, *, memory_format=None):
        x = method(self)
        return x if memory_format is None else _formatted(x, memory_format)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = getattr(method, "doc", method.__doc__.splitlines()[-1])
    return convert


def contiguous(self, memory_format=None):
    """The tensor with its elements in order, a copy if they are not."""
    return _contiguous(self) if memory_format is None else _formatted(self, memory_format)


def to(self, *args, dtype=None, device=None, non_blocking=False, copy=False, memory_format=None):
    """Converts to a dtype, moves to a device, or to both of another tensor. Returns the tensor itself if nothing
    changes, unless `copy`. By position the flags follow: to(device, dtype, non_blocking, copy)."""
    flags = [a for a in args if isinstance(a, bool)]
    if len(flags) > 2:
        raise TypeError(f"to: expected two flags by position, non_blocking and copy, got {len(flags)}")
    copy = flags[1] if len(flags) == 2 else copy
    x = _to(self, *args[:len(args) - len(flags)], dtype=dtype, device=device, copy=copy)
    return x if memory_format is None else _formatted(x, memory_format)


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """Vector of the elements in an object with a buffer, such as a bytearray, from a byte `offset`; count=-1: all. Shares
    the memory if it is writable."""
    memory, width = memoryview(buffer).cast("B"), _gyre.zeros((), dtype=dtype).itemsize
    rest = len(memory) - offset
    count = rest // width if count < 0 and rest % width == 0 else count
    if offset < 0 or count < 1 or count * width > rest:
        raise ValueError(f"frombuffer: expected whole elements of {width} bytes in {len(memory)} bytes, got offset "
                         f"{offset} and count {count}")
    x = asarray(memory[offset:offset + count * width]).view(dtype)
    return x.requires_grad_() if requires_grad else x


formats = [memory_format("contiguous_format"), memory_format("preserve_format"), memory_format("channels_last", 4),
           memory_format("channels_last_3d", 5)]
constants = {"memory_format": memory_format, **{f.name: f for f in formats}}
functions = [frombuffer]
methods = [to, contiguous, *map(_with_format, ("clone", "float", "double", "half", "bfloat16", "int", "long", "short", "char",
                                               "byte", "bool"))]
