"""Products of vectors, matrices and tensors."""

import reprlib
import string

from gyre import _gyre
from gyre._functions import products as torch_named
from gyre.numpy.dtypes import arrays, gathered, tensor
from gyre.numpy.elementwise import finished


def _in_common_dtype(op):
    """The op, whose products of integers are i64, with a result in the dtype of the operands as in NumPy."""
    def product(a, b):
        x, y = arrays(a, b)
        return op(x, y).to(x.dtype)

    return product


_matmul = _in_common_dtype(_gyre.matmul)


def matmul(x1, x2, /, out=None, *, dtype=None):
    """Matrix product over the last two axes; vectors are rows or columns."""
    return finished("matmul", _matmul(x1, x2), out, dtype=dtype)


def dot(a, b, out=None):
    """Product of numbers, vectors and matrices; of more axes the sum over the last of a and the second to last of b."""
    x, y = arrays(a, b)
    if 0 in (x.ndim, y.ndim):
        return finished("dot", x * y, out)
    return finished("dot", _matmul(x, y) if y.ndim <= 2 else tensordot(x, y, ([-1], [-2])), out)


def vdot(a, b, /):
    """Dot product of the flattened arrays."""
    return _matmul(tensor(a).reshape(-1), tensor(b).reshape(-1))


def inner(a, b, /):
    """Sum of products over the last axes."""
    return _in_common_dtype(torch_named.inner)(a, b)


def outer(a, b, out=None):
    """Products of all pairs of elements of the flattened arrays."""
    return finished("outer", _gyre.outer(*[x.reshape(-1) for x in arrays(a, b)]), out)


def tensordot(a, b, axes=2):
    """Sum of products over pairs of axes: the last `axes` axes of a and the first of b, or lists of both."""
    x, y = arrays(a, b)
    if not isinstance(axes, int):
        axes = [[i] if isinstance(i, int) else list(i) for i in axes]
    return torch_named.tensordot(x, y, axes).to(x.dtype)


def vecdot(x1, x2, /, *, axis=-1):
    """Dot products of vectors along an axis."""
    x, y = (part.movedim(axis, -1) for part in arrays(x1, x2))
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(f"vecdot: expected vectors of one size, got {x.shape[-1]} and {y.shape[-1]} elements")
    return _gyre.sum(x * y, -1).to(x.dtype)


def matvec(x1, x2, /):
    """Products of matrices and vectors."""
    return _matmul(x1, tensor(x2).unsqueeze(-1)).squeeze(-1)


def vecmat(x1, x2, /):
    """Products of vectors and matrices."""
    return _matmul(tensor(x1).unsqueeze(-2), x2).squeeze(-2)


def kron(a, b):
    """Kronecker product."""
    x, y = arrays(a, b)
    rank = max(x.ndim, y.ndim)
    return _gyre.kron(*[part.reshape([1] * (rank - part.ndim) + list(part.shape)) for part in (x, y)])


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Cross products of 3-d vectors along an axis."""
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    x, y = (part.movedim(place, -1) for part, place in zip(arrays(a, b), (axisa, axisb)))
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise ValueError(f"cross: expected vectors of 3 elements, got {x.shape[-1]} and {y.shape[-1]}")
    return _gyre.cross(x, y, -1).movedim(-1, axisc)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Sums of the diagonals over two axes; of integers i64, of unsigned ones u64."""
    return finished("trace", _gyre.trace(gathered(tensor(a)), offset, axis1, axis2), out, dtype=dtype)


def _written_out(operands_):
    """The subscripts of einsum(a, [0, 1], b, [1, 2], [0, 2]) as text, and its operands."""
    letters = string.ascii_letters

    def text(places):
        return "".join("..." if place is Ellipsis else letters[place] for place in places)

    pairs = len(operands_) // 2
    inputs = ",".join(text(places) for places in operands_[1:2 * pairs:2])
    return (inputs + ("->" + text(operands_[-1]) if len(operands_) % 2 else ""), *operands_[:2 * pairs:2])


def einsum(*operands, out=None, dtype=None, optimize=True):
    """Sum of products by Einstein's convention: einsum("ij,jk->ik", a, b), or einsum(a, [0, 1], b, [1, 2], [0, 2])."""
    subscripts, *inputs = operands if isinstance(operands[0], str) else _written_out(operands)
    inputs = arrays(*inputs)
    return finished("einsum", _gyre.einsum(subscripts, *inputs).to(inputs[0].dtype), out, dtype=dtype)


def _require_mode(name, x, y, mode):
    if 0 in (x.numel(), y.numel()) or mode not in ("full", "same", "valid"):
        raise ValueError(f"{name}: expected vectors with elements and mode full, same or valid, got {reprlib.repr(mode)}")


def convolve(a, v, mode="full"):
    """Discrete convolution of two vectors: "full", "same" or "valid"."""
    x, y = arrays(a, v)
    _require_mode("convolve", x, y, mode)
    x, y = (y, x) if y.numel() > x.numel() else (x, y)
    n = y.numel()
    whole = _gyre.matmul(_gyre.unfold(_gyre.pad(x, [n - 1], [n - 1]), 0, n, 1), _gyre.flip(y)).to(x.dtype)
    start = {"full": 0, "same": (n - 1) // 2, "valid": n - 1}[mode]
    return whole[start:start + {"full": whole.numel(), "same": x.numel(), "valid": x.numel() - n + 1}[mode]]


def correlate(a, v, mode="valid"):
    """Cross-correlation of two vectors: "full", "same" or "valid"."""
    x, y = arrays(a, v)
    _require_mode("correlate", x, y, mode)
    result = convolve(x, _gyre.flip(y), mode)
    if mode == "same" and y.numel() > x.numel() and x.numel() % 2 == 0:  # the centre of the longer vector
        whole, start = convolve(x, _gyre.flip(y)), x.numel() // 2
        return whole[start:start + y.numel()]
    return result


functions = [matmul, dot, vdot, inner, outer, tensordot, vecdot, matvec, vecmat, kron, cross, trace, einsum, convolve,
             correlate]
