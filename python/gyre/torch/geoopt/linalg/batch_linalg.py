"""Linear algebra on batches of matrices [..., n, m]."""

import torch

__all__ = [
    "block_matrix", "expm", "extract_diag", "matrix_rank", "qr", "svd", "sym", "sym_expm", "sym_funcm",
    "sym_inv_sqrtm1", "sym_inv_sqrtm2", "sym_invm", "sym_logm", "sym_sqrtm", "trace"]

expm = torch.matrix_exp
matrix_rank = torch.linalg.matrix_rank
qr = torch.linalg.qr
svd = torch.linalg.svd


def sym(x):
    """Symmetric part (x + x^T) / 2."""
    return 0.5 * (x + x.mT)


def extract_diag(x):
    """Diagonal of each matrix."""
    return x.diagonal(dim1=-2, dim2=-1)


def trace(x, keepdim=False):
    """Trace of each matrix."""
    return extract_diag(x).sum(-1, keepdim=keepdim)


def block_matrix(blocks, dim0=-2, dim1=-1):
    """The matrix of a list of rows of blocks."""
    return torch.cat([torch.cat(list(row), dim=dim1) for row in blocks], dim=dim0)


def sym_funcm(x, func):
    """func of a symmetric matrix, applied to its eigenvalues."""
    values, vectors = torch.linalg.eigh(x, UPLO="U")
    return (vectors * func(values).unsqueeze(-2)) @ vectors.mT


def sym_expm(x):
    """Exponential of a symmetric matrix."""
    return expm(x)


def sym_logm(x):
    """Logarithm of a symmetric positive definite matrix."""
    return sym_funcm(x, torch.log)


def sym_sqrtm(x):
    """Square root of a symmetric positive definite matrix."""
    return sym_funcm(x, torch.sqrt)


def sym_invm(x):
    """Inverse of a symmetric matrix."""
    return torch.linalg.inv(x)


def sym_inv_sqrtm1(x):
    """Inverse square root of a symmetric positive definite matrix."""
    return sym_funcm(x, torch.rsqrt)


def sym_inv_sqrtm2(x):
    """Inverse square root and square root of a symmetric positive definite matrix."""
    return sym_inv_sqrtm1(x), sym_sqrtm(x)
