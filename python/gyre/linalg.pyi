# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

from gyre._gyre import Tensor
def cholesky(x: TensorLike, *, upper: Any = False) -> Tensor:
    """Cholesky decomposition: lower triangular L with x = L L^T (uses the symmetric part of x)"""
def cond(A: Any, p: Any = None) -> Any:
    """Condition number: norm of A times the norm of its inverse, by default from the singular values.
    """
def cross(x: Any, y: Any, dim: Any = -1, *, axis: Any = None) -> Any:
    """Cross product of 3-d vectors along an axis."""
def det(x: TensorLike) -> Tensor:
    """determinant of square matrices"""
def diagonal(A: Any, *, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """Diagonals of matrices."""
def eigh(A: Any, UPLO: Any = 'L') -> Any:
    """Eigenvalues in ascending order and eigenvectors of symmetric matrices, of which one triangle is
    read.
    """
def eigvalsh(A: Any, UPLO: Any = 'L') -> Any:
    """Eigenvalues of symmetric matrices in ascending order."""
def inv(x: TensorLike) -> Tensor:
    """inverse of square matrices"""
def lstsq(A: Any, B: Any, rcond: Any = None, *, driver: Any = None) -> Any:
    """Least-squares solution of A X = B for matrices of full rank, computed by QR. As with PyTorch's
    drivers the other results may be empty: the squared residuals of "gelsy", the default; the rank of
    "gels"; the singular values of both.
    """
def matmul(x: TensorLike, y: TensorLike) -> Tensor:
    """matrix product; broadcasts batch axes, accepts vectors"""
def matrix_exp(A: Any) -> Any:
    """Matrix exponential, by scaling and squaring with a Taylor polynomial of degree 18."""
def matrix_norm(A: Any, ord: Any = 'fro', dim: Any = (-2, -1), keepdim: Any = False, *, dtype: Any = None, keepdims: Any = None) -> Any:
    """Norm of matrices: "fro", "nuc", inf, -inf, 1, -1 (sums of rows or columns), 2, -2 (singular
    values).
    """
def matrix_power(x: TensorLike, power: SupportsIndex = 2) -> Tensor:
    """integer power of square matrices"""
def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, atol: Any = None, rtol: Any = None) -> Any:
    """Number of singular values above the tolerance: the larger of atol, or tol, and rtol times the
    largest.
    """
def multi_dot(tensors: Any) -> Tensor:
    """Product of matrices in the cheapest order; the first and the last may be vectors."""
def norm(A: Any, ord: Any = None, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, axis: Any = None, keepdims: Any = None) -> Any:
    """Vector norm of all elements or over one axis; matrix norm over two axes, or of a matrix if `ord`
    is given.
    """
def pinv(A: Any, rtol: Any = None, hermitian: Any = False, *, atol: Any = None, rcond: Any = None) -> Any:
    """Moore-Penrose pseudoinverse: singular values up to rtol times the largest, or up to atol, count
    as 0. Tolerances are numbers, or tensors with one for each matrix.
    """
def qr(A: Any, mode: Any = 'reduced') -> Any:
    """QR decomposition, with a non-negative diagonal of R: "reduced", "complete" (a square Q), or "r"
    (R alone).
    """
def slogdet(x: TensorLike) -> tuple[Tensor, Tensor]:
    """sign and log |det x| (natural logarithm) of square matrices"""
def solve(A: Any, B: Any, *, left: Any = True) -> Any:
    """Solution of A X = B, or of X A = B unless `left`; B is a vector for each matrix if it has the
    shape of A without the last axis.
    """
def solve_triangular(A: Any, B: Any, *, upper: Any, left: Any = True, unitriangular: Any = False) -> Any:
    """Solution of A X = B, or of X A = B unless `left`, for a triangular matrix A."""
def svd(A: Any, full_matrices: Any = True) -> Any:
    """Singular value decomposition A = U diag(S) Vh; with full_matrices U and Vh are square, completed
    by any orthonormal vectors, otherwise they have as many vectors as there are singular values.
    """
def svdvals(A: Any) -> Any:
    """Singular values in descending order."""
def tensordot(a: Any, b: Any, dims: Any = 2, *, axes: Any = None) -> Tensor:
    """Sum of products over pairs of axes: the last `dims` axes of a and the first of b, or lists of
    both.
    """
def trace(A: Any, *, offset: Any = 0, dtype: Any = None) -> Any:
    """Sums of the diagonals of matrices."""
def vander(x: Any, N: Any = None) -> Any:
    """Vandermonde matrices: ascending powers of x along a new last axis."""
def vecdot(x: Any, y: Any, dim: Any = -1, *, axis: Any = None) -> Any:
    """Dot products of vectors along an axis."""
def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, *, dtype: Any = None, axis: Any = None, keepdims: Any = None) -> Any:
    """p-norm of all elements or over axes."""
