"""Methods of NumPy's arrays that ops do not have: elements by index, the flattened array, bytes."""

from gyre import _gyre
from gyre._functions.checkpoints import bytes_of_tensor
from gyre._functions.shapes import _order_of_axes
from gyre._gyre import DType, Tensor, asarray

_item, _copy, _view, _format = Tensor.item, Tensor.copy, Tensor.view, Tensor.__format__


def item(input, *index) -> "Any":
    """The only element as a Python number; as in NumPy the element at an index, item(2, 0), of all in order, item(5)."""
    if not index:
        return _item(input)
    index = index[0] if isinstance(index[0], tuple) else index
    return _item(input[tuple(index)] if len(index) > 1 else input.reshape(-1)[index[0]])


def __format__(self, format_spec) -> "str":
    """The only element in a format; without a format as str(), of a tensor without axes the number."""
    return _format(self, format_spec) if format_spec or self.ndim else str(_item(self))


def __round__(self, ndigits=None) -> "Any":
    """round(x), an int, and round(x, 2) of the only element, as of a Python number."""
    return round(_item(self), ndigits)


def compress(self, condition, axis=None):
    """Slices along an axis where condition is true, of the flattened tensor without one."""
    from gyre import numpy

    return numpy.compress(condition, self, axis)


def fill(self, value) -> "None":
    """Sets all elements to a number."""
    self.fill_(value)


def put(self, indices, values, mode="raise") -> "None":
    """Writes values at indices into the flattened tensor; see gyre.numpy.put."""
    from gyre import numpy

    numpy.put(self, indices, values, mode)


def copy(self, order="C"):
    """Copy; its memory is in C order."""
    _order_of_axes(self, order)
    return _copy(self)


def tobytes(self, order="C") -> "bytes":
    """The elements as bytes."""
    return bytes_of_tensor(self.ravel(order))


def tofile(self, fid) -> "None":
    """Writes the elements as bytes to a path or a binary file."""
    if hasattr(fid, "write"):
        fid.write(tobytes(self))
        return
    with open(fid, "wb") as file:
        file.write(tobytes(self))


# of memoryviews
_FORMATS = {"f64": "d", "f32": "f", "i64": "q", "i32": "i", "i16": "h", "i8": "b", "u32": "I", "u8": "B", "boolean": "?"}


def view(input, *shape, dtype=None, **options):
    """The same memory with another shape; view(dtype): its bytes as elements of another dtype."""
    if dtype is None and not options and shape and not isinstance(shape[0], (DType, str, type)):
        return _view(input, *shape)
    if not shape and dtype is None and not options:
        return _view(input, input.shape)
    kind = shape[0] if len(shape) == 1 else dtype
    return _view(input, *shape, **options) if kind is None else _reinterpreted(input, kind)


def _reinterpreted(x, kind):
    kind = asarray(0, dtype=kind).dtype
    if unknown := [d.name for d in (x.dtype, kind) if d.name not in _FORMATS]:
        raise TypeError(f"view: expected dtypes that Python's buffers have ({', '.join(_FORMATS)}), got {unknown[0]}")
    if not x.is_contiguous() or x.ndim == 0 and x.itemsize != kind.itemsize:
        raise ValueError("view: expected contiguous memory and an axis whose size can change; call contiguous() first")
    *rest, n = x.shape or (1,)
    if n * x.itemsize % kind.itemsize:
        raise ValueError(f"view: {n * x.itemsize} bytes along the last axis are no multiple of {kind.itemsize}")
    shape = [*rest, n * x.itemsize // kind.itemsize] if x.ndim else []
    if x.numel() == 0:
        return _gyre.empty(shape, dtype=kind)
    return _gyre.from_dlpack(memoryview(x.detach()).cast("B").cast(_FORMATS[kind.name])).reshape(shape)


class Flat:
    """The elements of a tensor in order, as NumPy's flat: read, assigned and iterated over."""

    def __init__(self, tensor):
        self._tensor = tensor

    def __len__(self):
        return self._tensor.numel()

    def __iter__(self):
        return iter(self._tensor.reshape(-1))

    def __getitem__(self, index):
        return self._tensor.reshape(-1)[index].clone()

    def __setitem__(self, index, value):
        elements = self._tensor.reshape(-1)
        elements[index] = value
        self._tensor.copy_(elements.reshape(self._tensor.shape))


def _set_flat(self, value):
    Flat(self)[:] = value


properties = {"imag": property(lambda self: _gyre.zeros_like(self), doc="zeros, since there are no complex dtypes"),
              "flat": property(Flat, _set_flat, doc="the elements in order: x.flat[3] = 1, for e in x.flat")}
functions = []
methods = [__format__, __round__, compress, item, fill, put, copy, tobytes, tofile, view]
