"""Stiefel manifolds: matrices with orthonormal columns."""

import torch

from gyre.torch.geoopt import linalg
from gyre.torch.geoopt.manifolds.base import Manifold

__all__ = ["CanonicalStiefel", "EuclideanStiefel", "EuclideanStiefelExact", "Stiefel"]


class Stiefel(Manifold):
    """Matrices X [..., n, m] with X^T X = I. Stiefel(canonical=True) is a CanonicalStiefel, Stiefel(canonical=False)
    a EuclideanStiefel."""

    ndim = 2

    def __new__(cls, canonical=True):
        if cls is Stiefel:
            cls = CanonicalStiefel if canonical else EuclideanStiefel
        return super().__new__(cls)

    def __init__(self, canonical=True):
        super().__init__()

    def _check_shape(self, shape, name):
        ok, reason = super()._check_shape(shape, name)
        if ok and shape[-1] > shape[-2]:
            return False, f"expected {name} [..., n, m] with n >= m, got shape {tuple(shape)}"
        return ok, reason

    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5):
        rest = x.mT @ x - _eye(x)
        if not torch.allclose(rest, torch.zeros_like(rest), atol=atol, rtol=rtol):
            return False, "expected X^T X = I; project X with projx"
        return True, None

    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5):
        rest = linalg.sym(x.mT @ u)
        if not torch.allclose(rest, torch.zeros_like(rest), atol=atol, rtol=rtol):
            return False, "expected U^T X + X^T U = 0; project U with proju"
        return True, None

    def projx(self, x):
        u, _, v = linalg.svd(x, full_matrices=False)
        return u @ v

    def egrad2rgrad(self, x, u):
        return self.proju(x, u)

    def random_naive(self, *size, dtype=None, device=None):
        """Q of the QR decomposition of a normal random matrix."""
        return self._points(linalg.qr(torch.randn(self._shape(size), dtype=dtype, device=device))[0])

    random = random_naive

    def origin(self, *size, dtype=None, device=None, seed=42):
        shape = self._shape(size)
        return self._points(torch.eye(*shape[-2:], dtype=dtype, device=device).repeat(*shape[:-2], 1, 1))


class CanonicalStiefel(Stiefel):
    """Stiefel manifold with the canonical inner product. Its retraction is the Cayley transform. (Wen and Yin,
    "A feasible method for optimization with orthogonality constraints", 2013.)"""

    name = "Stiefel(canonical)"
    reversible = True

    def inner(self, x, u, v=None, *, keepdim=False):
        v = u if v is None else v
        return ((u * v).sum([-1, -2], keepdim=keepdim)
                - 0.5 * ((x.mT @ u) * (x.mT @ v)).sum([-1, -2], keepdim=keepdim))

    def proju(self, x, u):
        return u - x @ u.mT @ x

    def retr_transp(self, x, u, v):
        # One solve for both: the same rotation acts on x and v.
        moved = self._rotated(x, u, torch.cat(torch.broadcast_tensors(x, v), -1))
        return tuple(part.contiguous() for part in moved.chunk(2, -1))

    def retr(self, x, u):
        return self._rotated(x, u, x)

    def transp_follow_retr(self, x, u, v):
        return self._rotated(x, u, v)

    expmap, expmap_transp, transp_follow_expmap = retr, retr_transp, transp_follow_retr

    @staticmethod
    def _rotated(x, u, v):
        """(I - A / 2)^-1 (I + A / 2) v with A = u x^T - x u^T."""
        half = 0.5 * (u @ x.mT - x @ u.mT)
        return torch.linalg.solve(_eye(half) - half, v + half @ v)


class EuclideanStiefel(Stiefel):
    """Stiefel manifold with the Euclidean inner product. Its retraction is the QR decomposition."""

    name = "Stiefel(euclidean)"
    reversible = False

    def inner(self, x, u, v=None, *, keepdim=False):
        return (u * (u if v is None else v)).sum([-1, -2], keepdim=keepdim)

    def proju(self, x, u):
        return u - x @ linalg.sym(x.mT @ u)

    def transp(self, x, y, v):
        return self.proju(y, v)

    def retr(self, x, u):
        q, r = linalg.qr(x + u)
        diagonal = linalg.extract_diag(r)
        return q * torch.where(diagonal < 0, -1.0, 1.0).to(q.dtype).unsqueeze(-2)  # the decomposition is unique

    def expmap(self, x, u):
        # Edelman, Arias, Smith, "The geometry of algorithms with orthogonality constraints", 1998, equation 2.45
        xtu, utu = x.mT @ u, u.mT @ u
        turn = linalg.expm(linalg.block_matrix([[xtu, -utu], [_eye(utu).expand_as(utu), xtu]]))
        return torch.cat(torch.broadcast_tensors(x, u), dim=-1) @ turn[..., :xtu.shape[-1]] @ linalg.expm(-xtu)


class EuclideanStiefelExact(EuclideanStiefel):
    """EuclideanStiefel whose retraction is the exponential map."""

    retr = EuclideanStiefel.expmap

    def extra_repr(self):
        return "exact"


def _eye(x):
    return torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
