# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class LinAlgError:
    """NaN, or a singular matrix."""
    def __getattr__(self, name: str, /) -> Any: ...
def cholesky(a: Any, /, *, upper: Any = False) -> Any:
    """Cholesky factor of positive definite matrices: lower triangular, or upper."""
def cond(x: Any, p: Any = None) -> Any:
    """Condition number: norm of x times the norm of its inverse, by default from the singular values.
    """
def cross(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    """Cross products of 3-d vectors along an axis."""
def det(a: Any) -> Any:
    """Determinants of matrices."""
def diagonal(x: Any, /, *, offset: Any = 0) -> Any:
    """Diagonals of matrices [..., m, n]."""
def eigh(a: Any, UPLO: Any = 'L') -> Any:
    """Eigenvalues in ascending order and eigenvectors of symmetric matrices, of which one triangle is
    read.
    """
def eigvalsh(a: Any, UPLO: Any = 'L') -> Any:
    """Eigenvalues of symmetric matrices in ascending order."""
def inv(a: Any) -> Any:
    """Inverse matrices."""
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """Least-squares solution of a x = b for a matrix of full rank: solution, residuals, rank, singular
    values.
    """
def matmul(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
    """Matrix product over the last two axes; vectors are rows or columns."""
def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = 'fro') -> Any:
    """Norm of matrices: "fro", "nuc", inf, -inf, 1, -1 (sums of rows or columns), 2, -2 (singular
    values).
    """
def matrix_power(a: Any, n: Any) -> Any:
    """n-th power of square matrices; negative ones are powers of the inverse."""
def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """Number of singular values above the tolerance: tol, or rtol times the largest."""
def matrix_transpose(x: Any, /) -> Any:
    """Last two axes swapped."""
def multi_dot(arrays: Any) -> Any:
    """Product of matrices in the cheapest order; the first and the last may be vectors."""
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """Euclidean norm of all elements, vector norm over an axis, matrix norm over two or of a matrix if
    `ord` is given.
    """
def outer(x1: Any, x2: Any, /) -> Any:
    """Products of all pairs of elements of two vectors."""
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = None) -> Any:
    """Moore-Penrose inverses; singular values up to rtol times the largest are 0."""
def qr(a: Any, mode: Any = 'reduced') -> Any:
    """QR decomposition, with a non-negative diagonal of R: "reduced", "complete" (a square Q), or "r"
    (R alone).
    """
def slogdet(a: Any) -> Any:
    """Sign and logarithm of the absolute value of determinants."""
def solve(a: Any, b: Any) -> Any:
    """Solution of a x = b for a vector b (one axis) or matrices b."""
def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    """Singular value decomposition a = U diag(S) Vh, with square U and Vh if `full_matrices`."""
def svdvals(x: Any, /) -> Any:
    """Singular values in descending order."""
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sum of products over pairs of axes: the last `axes` axes of a and the first of b, or lists of
    both.
    """
def tensorinv(a: Any, ind: Any = 2) -> Any:
    """Inverse of tensordot(a, x, x.ndim) for x with the axes of a from `ind`."""
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """x such that tensordot(a, x, x.ndim) is b."""
def trace(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> Any:
    """Sums of the diagonals of matrices [..., m, n]; of integers i64, of unsigned ones u64."""
def vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    """Dot products of vectors along an axis."""
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> Any:
    """ord-norm of all elements or over axes."""
