"""Linear algebra by the names of torch.linalg and numpy.linalg."""

import collections
import reprlib

import gyre
from gyre import _gyre
from gyre._functions.products import multi_dot
from gyre._functions.reductions import norm as _norm

cholesky, det, inv, matrix_power, slogdet = gyre.cholesky, _gyre.det, _gyre.inverse, _gyre.matrix_power, _gyre.slogdet
SVD = collections.namedtuple("SVD", "U S Vh")
Eigh = collections.namedtuple("Eigh", "eigenvalues eigenvectors")
QR = collections.namedtuple("QR", "Q R")
LstSq = collections.namedtuple("LstSq", "solution residuals rank singular_values")
__all__ = ["cholesky", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "lstsq", "matmul", "matrix_exp",
           "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve",
           "solve_triangular", "svd", "svdvals", "tensordot", "trace", "vander", "vecdot", "vector_norm"]


def pinv(A, rtol=None, hermitian=False, *, atol=None, rcond=None):
    """Moore-Penrose pseudoinverse: singular values up to rtol times the largest, or up to atol, count as 0. Tolerances
    are numbers, or tensors with one for each matrix."""
    a, rtol = _symmetric(gyre.asarray(A), "L") if hermitian else gyre.asarray(A), rcond if rtol is None else rtol
    if 0 in a.shape:
        return _gyre.pinv(a)
    if atol is not None:
        largest = _gyre.max(svdvals(a.detach()), -1)
        rtol = _gyre.maximum(_gyre.where(largest > 0, atol / largest, 0.0), 0.0 if rtol is None else rtol)
    bounds = gyre.asarray(-1.0 if rtol is None else rtol, dtype="f64")
    if bounds.ndim == 0:
        return _gyre.pinv(a, bounds.item())
    batch, (rows, columns) = gyre.broadcast_shapes(a.shape[:-2], bounds.shape), a.shape[-2:]
    matrices = a.expand(*batch, rows, columns).reshape(-1, rows, columns)
    inverses = [_gyre.pinv(x, bound) for x, bound in zip(matrices, bounds.expand(batch).reshape(-1).tolist())]
    return _gyre.stack(*inverses).reshape(*batch, columns, rows)


def svd(A, full_matrices=True):
    """Singular value decomposition A = U diag(S) Vh; with full_matrices U and Vh are square, completed by any
    orthonormal vectors, otherwise they have as many vectors as there are singular values."""
    u, s, vh = _gyre.svd(A)
    return SVD(_basis(u), s, _basis(vh.mT).mT) if full_matrices else SVD(u, s, vh)


def _basis(columns):
    """Square orthogonal matrices that begin with these orthonormal columns; the others are constants."""
    rows, given = columns.shape[-2:]
    if rows == given:
        return columns
    rest = _gyre.eye(rows, dtype=columns.dtype)[:, :rows - given].expand((*columns.shape[:-2], rows, rows - given))
    whole = _gyre.qr(_gyre.cat(columns.detach(), rest, axis=-1)).q
    return _gyre.cat(columns, whole[..., given:], axis=-1)


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
        raise gyre.ValueError(f"eigh: expected UPLO \"L\" or \"U\", got {reprlib.repr(UPLO)}")
    a = gyre.asarray(A)
    part = _gyre.tril(a.detach()) if UPLO in "Ll" else _gyre.triu(a.detach()).mT
    symmetric = part + _gyre.tril(part, -1).mT
    if not a.requires_grad:
        return symmetric
    change = a - a.detach()  # the gradient is that of a symmetric matrix
    return symmetric + _gyre.where(_gyre.isfinite(change), change, 0.0)


def qr(A, mode="reduced"):
    """QR decomposition, with a non-negative diagonal of R: "reduced", "complete" (a square Q), or "r" (R alone)."""
    if mode not in ("reduced", "complete", "r"):
        raise gyre.ValueError(f"qr: expected mode \"reduced\", \"complete\" or \"r\", got {reprlib.repr(mode)}")
    q, r = _gyre.qr(A)
    if mode == "complete":
        missing = q.shape[-2] - q.shape[-1]
        zeros = _gyre.zeros((*r.shape[:-2], missing, r.shape[-1]), dtype=r.dtype)
        q, r = _basis(q), _gyre.cat(r, zeros, axis=-2)
    return QR(q.new_empty(0), r) if mode == "r" else QR(q, r)


def lstsq(A, B, rcond=None, *, driver=None):
    """Least-squares solution of A X = B for matrices of full rank, computed by QR. As with PyTorch's drivers the other
    results may be empty: the squared residuals of "gelsy", the default; the rank of "gels"; the singular values of
    both."""
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise gyre.ValueError(f"lstsq: expected driver \"gels\", \"gelsy\", \"gelsd\" or \"gelss\", got {reprlib.repr(driver)}")
    a, b = gyre.asarray(A), gyre.asarray(B)
    x = _gyre.lstsq(a, b)
    residuals, rank, values = x.new_empty(0), gyre.full(a.shape[:-2], min(a.shape[-2:]), dtype="i64"), x.new_empty(0)
    if a.shape[-2] > a.shape[-1] and driver not in (None, "gelsy"):
        residuals = _gyre.square(a @ x - b).sum(axis=-2 if b.ndim > 1 else -1)
    return LstSq(x, residuals, rank.new_empty(0) if driver == "gels" else rank,
                 svdvals(a) if driver in ("gelsd", "gelss") else values)


def solve(A, B, *, left=True):
    """Solution of A X = B, or of X A = B unless `left`; B is a vector for each matrix if it has the shape of A without
    the last axis."""
    a, b = gyre.asarray(A), gyre.asarray(B)
    if not left:
        return solve(a.mT, b.mT).mT
    if b.ndim > 1 and b.shape == a.shape[:-1]:
        return _gyre.solve(a, b.unsqueeze(-1)).squeeze(-1)
    return _gyre.solve(a, b)


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """Solution of A X = B, or of X A = B unless `left`, for a triangular matrix A."""
    if unitriangular:
        A = _gyre.tril(A, -1) if not upper else _gyre.triu(A, 1)
        A = A + gyre.eye(A.shape[-1], dtype=A.dtype)
    if left:
        return _gyre.triangular_solve(A, B, upper=upper)
    return _gyre.triangular_solve(gyre.asarray(A).mT, gyre.asarray(B).mT, upper=not upper).mT


def matrix_rank(A, tol=None, hermitian=False, *, atol=None, rtol=None):
    """Number of singular values above the tolerance: the larger of atol, or tol, and rtol times the largest."""
    a = gyre.asarray(A)
    s, atol = svdvals(_symmetric(a, "L") if hermitian else a), tol if atol is None else atol
    if 0 in a.shape[-2:]:
        return gyre.zeros(a.shape[:-2], dtype="i64")
    if rtol is None:
        rtol = 0.0 if atol is not None else max(a.shape[-2:]) * gyre.finfo(a.dtype).eps
    least = _gyre.max(s, -1, True) * _column(rtol, s)
    return _gyre.sum(s > (least if atol is None else _gyre.maximum(least, _column(atol, s))), -1)


def _column(bound, s):
    """A tolerance for each matrix, as a column."""
    return gyre.asarray(bound, dtype=s.dtype).unsqueeze(-1)


def vander(x, N=None):
    """Vandermonde matrices: ascending powers of x along a new last axis."""
    return gyre.vander(gyre.atleast_1d(x), N, True)


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
        raise gyre.ValueError(f"matrix_norm: expected \"fro\", \"nuc\", inf, -inf, 1, -1, 2 or -2, got {reprlib.repr(ord)}")
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
    return gyre.cross(x, y, dim, axis=axis)


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


matmul, tensordot = gyre.matmul, gyre.tensordot
