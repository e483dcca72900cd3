"""Methods of NumPy's arrays that ops do not have: elements by index, the flattened array, bytes."""

from gyre import _gyre
from gyre._functions.checkpoints import bytes_of_tensor
from gyre._functions.shapes import _order_of_axes
from gyre._gyre import Tensor

_copy, _format = Tensor.copy, Tensor.__format__


def __format__(self, format_spec) -> "str":
    """The only element in a format; without a format as str(), of a tensor without axes the number."""
    return _format(self, format_spec) if format_spec or self.ndim else str(self.item())


def __round__(self, ndigits=None) -> "Any":
    """round(x), an int, and round(x, 2) of the only element, as of a Python number."""
    return round(self.item(), ndigits)


def compress(self, condition, axis=None):
    """Slices along an axis where condition is true, of the flattened tensor without one."""
    from gyre import numpy

    return numpy.compress(condition, self, axis)


def fill(self, value) -> "None":
    """Sets all elements to a number."""
    self.fill_(value)


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
methods = [__format__, __round__, compress, fill, copy, tobytes, tofile]
