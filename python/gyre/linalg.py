"""Linear algebra by the names of torch.linalg and numpy.linalg."""

import collections

import gyre
from gyre import _gyre
from gyre._functions.products import multi_dot
from gyre._functions.reductions import norm as _norm

det, inv, matrix_power, slogdet, solve = _gyre.det, _gyre.inverse, _gyre.matrix_power, _gyre.slogdet, _gyre.solve
SVD = collections.namedtuple("SVD", "U S Vh")
Eigh = collections.namedtuple("Eigh", "eigenvalues eigenvectors")
QR = collections.namedtuple("QR", "Q R")
LstSq = collections.namedtuple("LstSq", "solution residuals rank singular_values")
__all__ = ["cholesky", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "lstsq", "matmul", "matrix_exp",
           "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve",
           "solve_triangular", "svd", "svdvals", "tensordot", "trace", "vander", "vecdot", "vector_norm"]


def cholesky(A, *, upper=False):
    """Lower triangular Cholesky factor of positive definite matrices, or its transpose."""
    factor = _gyre.cholesky(A)
    return factor.mT if upper else factor


def pinv(A, rtol=None, hermitian=False, *, atol=None, rcond=None):
    """Moore-Penrose pseudoinverse: singular values up to rtol times the largest, or up to atol, count as 0."""
    a, rtol = _symmetric(gyre.asarray(A), "L") if hermitian else gyre.asarray(A), rcond if rtol is None else rtol
    if atol is not None and 0 not in a.shape:
        largest = float(_gyre.max(svdvals(a)))
        rtol = max(float(atol) / largest if largest else 0.0, 0.0 if rtol is None else float(rtol))
    return _gyre.pinv(a, -1.0 if rtol is None else float(rtol))


def svd(A, full_matrices=False):
    """Reduced singular value decomposition A = U diag(S) Vh."""
    if full_matrices:
        raise gyre.ValueError("svd: full_matrices=True is not supported: the additional singular vectors are arbitrary")
    return SVD(*_gyre.svd(A))


def svdvals(A):
    """Singular values in descending order."""
    return _gyre.svd(A).s


def eigh(A, UPLO="L"):
    """Eigenvalues in ascending order and eigenvectors of symmetric matrices, of which one triangle is read."""
    return Eigh(*_gyre.eigh(_symmetric(A, UPLO)))


def eigvalsh(A, UPLO="L"):
    """Eigenvalues of symmetric matrices in ascending order."""
    return _gyre.eigh(_symmetric(A, UPLO)).values


def _symmetric(A, UPLO):
    if UPLO not in ("L", "U", "l", "u"):
        raise gyre.ValueError(f"eigh: expected UPLO \"L\" or \"U\", got {UPLO!r}")
    part = _gyre.tril(A) if UPLO in "Ll" else _gyre.triu(A).mT
    return part + _gyre.tril(part, -1).mT


def qr(A, mode="reduced"):
    """Reduced QR decomposition, with a non-negative diagonal of R; mode "r": R alone."""
    if mode not in ("reduced", "r"):
        raise gyre.ValueError(f"qr: expected mode \"reduced\" or \"r\", got {mode!r}")
    q, r = _gyre.qr(A)
    return QR(q.new_empty(0), r) if mode == "r" else QR(q, r)


def lstsq(A, B, rcond=None, driver=None):
    """Least-squares solution of A X = B for matrices of full rank."""
    x = _gyre.lstsq(A, B)
    a = gyre.asarray(A)
    return LstSq(x, x.new_empty(0), gyre.full(a.shape[:-2], min(a.shape[-2:]), dtype="i64"), x.new_empty(0))


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """Solution of A X = B, or of X A = B unless `left`, for a triangular matrix A."""
    if unitriangular:
        A = _gyre.tril(A, -1) if not upper else _gyre.triu(A, 1)
        A = A + gyre.eye(A.shape[-1], dtype=A.dtype)
    if left:
        return _gyre.triangular_solve(A, B, upper=upper)
    return _gyre.triangular_solve(gyre.asarray(A).mT, gyre.asarray(B).mT, upper=not upper).mT


def matrix_rank(A, tol=None, rtol=None, hermitian=False):
    """Number of singular values above the tolerance: tol, or rtol times the largest."""
    a = gyre.asarray(A)
    s = svdvals(a)
    if tol is None:
        rtol = max(a.shape[-2:]) * gyre.finfo(a.dtype).eps if rtol is None else rtol
        tol = _gyre.max(s, -1, True) * rtol
    else:
        tol = gyre.asarray(tol, dtype=s.dtype).unsqueeze(-1)
    return _gyre.sum(s > tol, -1)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None):
    """p-norm of all elements or over axes."""
    return _norm(x, ord, dim if axis is None else axis, keepdim if keepdims is None else keepdims, dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, keepdims=None):
    """Norm of matrices: "fro", "nuc", inf, -inf, 1, -1 (sums of rows or columns), 2, -2 (singular values)."""
    a = gyre.asarray(A) if dtype is None else gyre.asarray(A).to(dtype)
    keepdim = keepdim if keepdims is None else keepdims
    if a.ndim < 2:
        raise gyre.ShapeError(f"matrix_norm: expected matrices [..., m, n], got {list(a.shape)}")
    if ord in ("fro", "nuc"):
        return _norm(a, ord, tuple(dim), keepdim)
    rows, columns = (d % a.ndim for d in dim)
    if ord in (2, -2):
        s = svdvals(a.movedim((rows, columns), (-2, -1)))
        result = (_gyre.max if ord > 0 else _gyre.min)(s, -1)
    elif abs(ord) in (1, float("inf")):
        summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = _gyre.sum(_gyre.abs(a), summed, True)
        return (_gyre.max if ord > 0 else _gyre.min)(sums, (rows, columns), keepdim)
    else:
        raise gyre.ValueError(f"matrix_norm: expected \"fro\", \"nuc\", inf, -inf, 1, -1, 2 or -2, got {ord!r}")
    return result.reshape([1 if i in (rows, columns) else n for i, n in enumerate(a.shape)]) if keepdim else result


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=None):
    """Vector norm of all elements or over one axis; matrix norm over two axes, or of a matrix if `ord` is given."""
    a, axes = gyre.asarray(A), dim if axis is None else axis
    keepdim = keepdim if keepdims is None else keepdims
    pair = axes if isinstance(axes, (list, tuple)) else None
    if ord is not None and ((pair and len(pair) == 2) or (axes is None and a.ndim == 2)):
        return matrix_norm(a, ord, pair or (-2, -1), keepdim, dtype=dtype)
    return vector_norm(a, 2 if ord is None else ord, axes, keepdim, dtype=dtype)


def cond(A, p=None):
    """Condition number: norm of A times the norm of its inverse, by default from the singular values."""
    if p in (None, 2):
        s = svdvals(A)
        return _gyre.select(s, -1, 0) / _gyre.select(s, -1, -1)
    return matrix_norm(A, p) * matrix_norm(inv(A), p)


def cross(x, y, dim=-1, *, axis=None):
    """Cross product of 3-d vectors along an axis."""
    return _gyre.cross(x, y, dim if axis is None else axis)


def vecdot(x, y, dim=-1, *, axis=None):
    """Dot products of vectors along an axis."""
    return (gyre.asarray(x) * y).sum(axis=dim if axis is None else axis)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    """Diagonals of matrices."""
    return _gyre.diagonal(A, offset, dim1, dim2)


def trace(A, *, offset=0, dtype=None):
    """Sums of the diagonals of matrices."""
    result = _gyre.trace(A, offset, -2, -1)
    return result if dtype is None else result.to(dtype)


def matrix_exp(A):
    """Matrix exponential, by scaling and squaring with a Taylor polynomial of degree 18."""
    a = gyre.asarray(A)
    size = float(matrix_norm(a, 1).max()) if a.numel() else 0.0
    squarings = 0
    while size > 0.5:
        size, squarings = size / 2, squarings + 1
    scaled = a / 2.0 ** squarings
    identity = gyre.eye(a.shape[-1], dtype=a.dtype)
    result = identity
    for k in range(18, 0, -1):
        result = identity + scaled @ result / k
    for _ in range(squarings):
        result = result @ result
    return result


matmul, tensordot, vander = gyre.matmul, gyre.tensordot, gyre.vander
