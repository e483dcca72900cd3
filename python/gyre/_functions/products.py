"""Products of vectors, matrices and tensors."""

import itertools
import operator

from gyre import _gyre
from gyre._functions.reductions import norm
from gyre._functions.shapes import _axis
from gyre._gyre import asarray

_op_tensordot, _op_cross, _op_cdist, _op_matmul = _gyre.tensordot, _gyre.cross, _gyre.cdist, _gyre.matmul


def tensordot(a, b, dims=2, *, axes=None):
    """Sum of products over pairs of axes: the last `dims` axes of a and the first of b, or lists of both."""
    x, y = asarray(a), asarray(b)
    pairs = dims if axes is None else axes
    if isinstance(pairs, (list, tuple)):
        of_x, of_y = ([axis] if isinstance(axis, int) else list(axis) for axis in pairs)
    else:
        count = operator.index(pairs)
        if not 0 <= count <= min(x.ndim, y.ndim):
            raise ValueError(f"tensordot: expected a number of axes from 0 to {min(x.ndim, y.ndim)}, got {count}")
        of_x, of_y = list(range(x.ndim - count, x.ndim)), list(range(count))
    for i, j in zip(of_x, of_y):  # an axis of size 1 is broadcast, the sum over the other is left
        m, n = x.shape[i], y.shape[j]
        x = x.sum(axis=i, keepdim=True) if n == 1 != m else x
        y = y.sum(axis=j, keepdim=True) if m == 1 != n else y
    return _op_tensordot(x, y, of_x, of_y)


def cross(input, other, dim=None, *, axis=None):
    """Cross product of 3-d vectors along an axis, by default the first of size 3."""
    x, y = asarray(input), asarray(other)
    axis = dim if axis is None else axis
    if axis is None:
        axis = next((i for i, n in enumerate(x.shape) if n == 3), -1)
    return _op_cross(x, y, axis)


def cdist(x1, x2, p=2.0, compute_mode=None):
    """Pairwise p-norm distances of rows [..., m, n]; always computed from differences."""
    return _op_cdist(x1, x2, p)


def inner(input, other):
    """Sum of products over the last axes."""
    x, y = asarray(input), asarray(other)
    return x * y if 0 in (x.ndim, y.ndim) else _op_tensordot(x, y, [-1], [-1])


def vdot(input, other):
    """Dot product of vectors."""
    x, y = asarray(input), asarray(other)
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"vdot: expected two vectors, got {list(x.shape)} and {list(y.shape)}")
    return _op_matmul(x, y)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta x + alpha times the sum of the products of a batch."""
    product = _op_matmul(batch1, batch2).sum(axis=0)
    return _scaled(product, alpha) if beta == 0 else _scaled(asarray(input), beta) + _scaled(product, alpha)


def addr(input, vec1, vec2, *, beta=1, alpha=1):
    """beta x + alpha times the outer product of two vectors."""
    product = _scaled(_gyre.outer(vec1, vec2), alpha)
    return product if beta == 0 else _scaled(asarray(input), beta) + product


def _scaled(x, factor):
    return x if factor == 1 else x * factor


def chain_matmul(*matrices):
    """Product of matrices in the cheapest order."""
    return multi_dot(matrices)


def multi_dot(tensors):
    """Product of matrices in the cheapest order; the first and the last may be vectors."""
    matrices = [asarray(x) for x in tensors]
    if len(matrices) < 2:
        raise ValueError(f"multi_dot: expected at least 2 matrices, got {len(matrices)}")
    names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if len(matrices) > len(names) - 1:
        raise ValueError(f"multi_dot: expected at most {len(names) - 1} matrices, got {len(matrices)}")
    terms = [names[i:i + 2] for i in range(len(matrices))]
    if matrices[0].ndim == 1:
        terms[0] = terms[0][1]
    if matrices[-1].ndim == 1:
        terms[-1] = terms[-1][0]
    ends = (terms[0][0] if matrices[0].ndim > 1 else "") + (terms[-1][1] if matrices[-1].ndim > 1 else "")
    return _gyre.einsum(",".join(terms) + "->" + ends, *matrices)


def renorm(input, p, dim, maxnorm):
    """x with each slice along an axis scaled down to the p-norm maxnorm where its own is larger."""
    x = asarray(input)
    axis = _axis(dim, x.ndim, "renorm")
    if x.ndim < 2:
        raise ValueError(f"renorm: expected at least 2 axes, got {x.ndim}; see gyre.nn.functional.normalize")
    if p <= 0 or maxnorm < 0:
        raise ValueError(f"renorm: expected p above 0 and maxnorm of at least 0, got {p} and {maxnorm}")
    norms = norm(x, p, [i for i in range(x.ndim) if i != axis], True)
    return _gyre.where(norms > maxnorm, x * (maxnorm / (norms + 1e-7)), x)


def combinations(input, r=2, with_replacement=False):
    """Combinations of r elements of a vector: the rows of a matrix, in lexicographic order."""
    x = asarray(input)
    if x.ndim != 1 or r < 0:
        raise ValueError(f"combinations: expected a vector and r of at least 0, got shape {list(x.shape)} and {r}")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(x.shape[0]), r))
    return x[asarray(rows)] if rows and r else x.new_empty((0,) if r == 0 else (0, r))


def cholesky_solve(input, L, upper=False):
    """Solution of A X = B for A = L L^T, or U^T U if upper."""
    half = _gyre.triangular_solve(L, input, upper=upper, transpose=upper)
    return _gyre.triangular_solve(L, half, upper=upper, transpose=not upper)


def cholesky_inverse(L, upper=False):
    """Inverse of A = L L^T, or U^T U if upper."""
    factor = asarray(L)
    return cholesky_solve(_gyre.eye(factor.shape[-1], dtype=factor.dtype, device=factor.device).expand(factor.shape), factor, upper)


def matrix_exp(input):
    """Matrix exponential; see gyre.linalg.matrix_exp."""
    from gyre import linalg

    return linalg.matrix_exp(input)


def pinverse(input, rcond=1e-15):
    """Moore-Penrose pseudoinverse; singular values up to rcond times the largest count as 0."""
    from gyre import linalg

    return linalg.pinv(input, rcond)


def logdet(input):
    """Logarithm of the determinant; NaN where it is negative."""
    sign, log = _gyre.slogdet(input)
    return _gyre.where(sign < 0, float("nan"), log)


functions = [tensordot, cross, cdist, inner, vdot, addbmm, addr, chain_matmul, logdet, renorm, combinations,
             cholesky_solve, cholesky_inverse, matrix_exp, pinverse]
methods = [cross, inner, vdot, addbmm, addr, logdet, renorm, cholesky_solve, cholesky_inverse, matrix_exp, pinverse]
