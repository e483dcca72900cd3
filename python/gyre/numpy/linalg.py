"""Linear algebra by the names of numpy.linalg."""

import reprlib

import collections
import math

import gyre
from gyre import _gyre, linalg as torch_named
from gyre.numpy import products
from gyre.numpy.dtypes import inexact, operands, tensor
from gyre.numpy.manipulation import axes_of, matrix_transpose

EigResult = collections.namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = collections.namedtuple("QRResult", "Q R")
SlogdetResult = collections.namedtuple("SlogdetResult", "sign logabsdet")
SVDResult = collections.namedtuple("SVDResult", "U S Vh")
LinAlgError = gyre.NumericError
__all__ = ["LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "lstsq", "matmul",
           "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr",
           "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm"]


def __getattr__(name):
    if name in ("eig", "eigvals"):
        raise AttributeError(f"gyre.numpy.linalg has no {name}: eigenvalues of general matrices are complex, and there "
                             f"are no complex dtypes; see {'eigh' if name == 'eig' else 'eigvalsh'} for symmetric ones")
    raise AttributeError(f"module {__name__} has no attribute {name}")


def cholesky(a, /, *, upper=False):
    """Cholesky factor of positive definite matrices: lower triangular, or upper."""
    return torch_named.cholesky(inexact(a), upper=upper)


def det(a):
    """Determinants of matrices."""
    return _gyre.det(inexact(a))


def slogdet(a):
    """Sign and logarithm of the absolute value of determinants."""
    return SlogdetResult(*_gyre.slogdet(inexact(a)))


def inv(a):
    """Inverse matrices."""
    return _gyre.inverse(inexact(a))


def solve(a, b):
    """Solution of a x = b for a vector b (one axis) or matrices b."""
    x, y = (inexact(part) for part in operands(a, b))
    if y.ndim == 1:
        return _gyre.solve(x, y.unsqueeze(-1)).squeeze(-1)
    shape = gyre.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return _gyre.solve(x.expand(*shape, *x.shape[-2:]), y.expand(*shape, *y.shape[-2:]))


def eigh(a, UPLO="L"):
    """Eigenvalues in ascending order and eigenvectors of symmetric matrices, of which one triangle is read."""
    return EigResult(*torch_named.eigh(inexact(a), UPLO))


def eigvalsh(a, UPLO="L"):
    """Eigenvalues of symmetric matrices in ascending order."""
    return torch_named.eigvalsh(inexact(a), UPLO)


def qr(a, mode="reduced"):
    """QR decomposition, with a non-negative diagonal of R: "reduced", "complete" (a square Q), or "r" (R alone)."""
    q, r = torch_named.qr(inexact(a), mode)
    return r if mode == "r" else QRResult(q, r)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """Singular value decomposition a = U diag(S) Vh, with square U and Vh if `full_matrices`."""
    u, s, vh = torch_named.svd(inexact(a), full_matrices and compute_uv)
    return SVDResult(u, s, vh) if compute_uv else s


def svdvals(x, /):
    """Singular values in descending order."""
    return torch_named.svdvals(inexact(x))


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    """Moore-Penrose inverses; singular values up to rtol times the largest are 0."""
    bound = rcond if rtol is None else rtol
    x = inexact(a)
    if bound is None:
        bound = 1e-15 if x.dtype == _gyre.f64 else max(x.shape[-2:]) * gyre.finfo(x.dtype).eps
    return torch_named.pinv(x, bound, hermitian)


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """Number of singular values above the tolerance: tol, or rtol times the largest."""
    x = inexact(A)
    if x.ndim < 2:
        return _gyre.any(x != 0).to("i64")
    return torch_named.matrix_rank(x, tol, rtol=rtol)


def tensorsolve(a, b, axes=None):
    """x such that tensordot(a, x, x.ndim) is b."""
    a, b = operands(a, b)
    if axes is not None:
        moved = axes_of(axes, a.ndim, "tensorsolve")
        a = a.permute([i for i in range(a.ndim) if i not in moved] + list(moved))
    shape = a.shape[b.ndim:]
    return solve(a.reshape(b.numel(), -1), b.reshape(-1)).reshape(shape)


def tensorinv(a, ind=2):
    """Inverse of tensordot(a, x, x.ndim) for x with the axes of a from `ind`."""
    a = inexact(a)
    shape = (*a.shape[ind:], *a.shape[:ind])
    return inv(a.reshape(math.prod(a.shape[:ind]), -1)).reshape(shape)


def matrix_power(a, n):
    """n-th power of square matrices; negative ones are powers of the inverse."""
    x = tensor(a)
    if n >= 0 and not x.is_floating_point():
        result = _gyre.eye(x.shape[-1], dtype=x.dtype).expand(x.shape)
        for bit in bin(n)[2:]:
            result = products.matmul(result, result)
            result = products.matmul(result, x) if bit == "1" else result
        return result
    return _gyre.matrix_power(inexact(x), n)


def cond(x, p=None):
    """Condition number: norm of x times the norm of its inverse, by default from the singular values."""
    return torch_named.cond(inexact(x), p)


def lstsq(a, b, rcond=None):
    """Least-squares solution of a x = b for a matrix of full rank: solution, residuals, rank, singular values."""
    x, y = (inexact(part) for part in operands(a, b))
    columns = y.unsqueeze(-1) if y.ndim == 1 else y
    solution, s = _gyre.lstsq(x, columns), torch_named.svdvals(x)
    residuals = _gyre.sum(_gyre.square(x @ solution - columns), 0) if x.shape[0] > x.shape[1] else x.new_empty(0)
    return solution.squeeze(-1) if y.ndim == 1 else solution, residuals, int(matrix_rank(x)), s


def norm(x, ord=None, axis=None, keepdims=False):
    """Euclidean norm of all elements, vector norm over an axis, matrix norm over two or of a matrix if `ord` is
    given."""
    x = inexact(x)
    axes = tuple(range(x.ndim)) if axis is None else axes_of(axis, x.ndim, "norm")
    if ord is None or len(axes) == 1:
        return vector_norm(x, axis=axes, ord=2 if ord is None else ord, keepdims=keepdims)
    if len(axes) != 2:
        raise ValueError(f"norm: expected 1 or 2 axes for ord={ord!r}, got {len(axes)}")
    return torch_named.matrix_norm(x, ord, axes, bool(keepdims))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """ord-norm of all elements or over axes."""
    x = inexact(x)
    axes = tuple(range(x.ndim)) if axis is None else axes_of(axis, x.ndim, "vector_norm")
    if isinstance(ord, str):
        raise ValueError(f"vector_norm: expected a number as ord, got {reprlib.repr(ord)}")
    return torch_named.vector_norm(x, ord, axes, bool(keepdims)) if axes else _gyre.abs(x)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Norm of matrices: "fro", "nuc", inf, -inf, 1, -1 (sums of rows or columns), 2, -2 (singular values)."""
    x = inexact(x)
    return torch_named.matrix_norm(x, "fro" if ord is None else ord, (-2, -1), bool(keepdims))


def multi_dot(arrays):
    """Product of matrices in the cheapest order; the first and the last may be vectors."""
    return torch_named.multi_dot(operands(*arrays))


def diagonal(x, /, *, offset=0):
    """Diagonals of matrices [..., m, n]."""
    return _gyre.diagonal(tensor(x), offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    """Sums of the diagonals of matrices [..., m, n]; of integers i64, of unsigned ones u64."""
    return products.trace(x, offset, -2, -1, dtype)


def outer(x1, x2, /):
    """Products of all pairs of elements of two vectors."""
    return products.outer(x1, x2)


def cross(x1, x2, /, *, axis=-1):
    """Cross products of 3-d vectors along an axis."""
    return products.cross(x1, x2, axis=axis)


matmul, tensordot, vecdot = products.matmul, products.tensordot, products.vecdot
