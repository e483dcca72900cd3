"""The Poincaré ball."""

import torch

from gyre.torch.hypll.manifolds.base import Manifold
from gyre.torch.hypll.manifolds.euclidean import Euclidean
from gyre.torch.hypll.manifolds.poincare_ball.math import diffgeom, linalg, stats
from gyre.torch.hypll.tensors import ManifoldTensor
from gyre.torch.hypll.utils.math import beta_func
from gyre.torch.hypll.utils.tensor_utils import check_dims_with_broadcasting

__all__ = ["PoincareBall"]


class PoincareBall(Manifold):
    """Poincaré ball of curvature -c(): points with c() |x|^2 < 1. c is a Curvature."""

    def __init__(self, c):
        super().__init__()
        if not callable(c):
            raise TypeError(f"expected a Curvature as c, got {type(c).__name__}; write PoincareBall(c=Curvature(1.0))")
        self.c = c

    def mobius_add(self, x, y):
        """Möbius addition x ⊕ y."""
        dim = check_dims_with_broadcasting(x, y)
        return ManifoldTensor(diffgeom.mobius_add(x.tensor, y.tensor, self.c(), dim), self, dim)

    def gyration(self, u, v, w):
        """Gyration gyr[u, v] w."""
        dim = check_dims_with_broadcasting(u, v, w)
        return ManifoldTensor(diffgeom.gyration(u.tensor, v.tensor, w.tensor, self.c(), dim), self, dim)

    def _project(self, x, dim, eps):
        return diffgeom.project(x, self.c(), dim, eps)

    def _expmap(self, x, v, dim):
        return diffgeom.expmap0(v, self.c(), dim) if x is None else diffgeom.expmap(x, v, self.c(), dim)

    def _logmap(self, x, y, dim):
        return diffgeom.logmap0(y, self.c(), dim) if x is None else diffgeom.logmap(x, y, self.c(), dim)

    def _transp(self, x, y, v, dim):
        return diffgeom.transp(x, y, v, self.c(), dim)

    def _dist(self, x, y, dim):
        return diffgeom.dist(x, y, self.c(), dim)

    def _cdist(self, x, y):
        return diffgeom.cdist(x, y, self.c())

    def _inner(self, x, u, v, dim, keepdim):
        return diffgeom.inner(x, u, v, self.c(), dim, keepdim)

    def _euc_to_tangent(self, x, u, dim):
        return diffgeom.euc_to_tangent(x, u, self.c(), dim)

    def _hyperplane_dists(self, x, z, r):
        return linalg.poincare_hyperplane_dists(x, z, r, self.c(), 1)

    def _fully_connected(self, x, z, bias, dim):
        return self._project(linalg.poincare_fully_connected(x, z, bias, self.c(), dim), dim, -1)

    def _frechet_mean(self, x, dim, dims, keepdim):
        return stats.frechet_mean(x, self.c(), dim, dims, keepdim)

    def _midpoint(self, x, dim, dims, w, keepdim):
        return stats.midpoint(x, self.c(), dim, dims, w, keepdim)

    def _frechet_variance(self, x, mu, dim, dims, keepdim):
        return stats.frechet_variance(x, self.c(), mu, dim, dims, keepdim)

    def _weight_manifold(self):
        return Euclidean()

    def _reset_parameters(self, weight, bias, id_init):
        rows, columns = weight.shape
        if id_init and rows <= columns:
            weight.copy_(torch.eye(rows, columns) / 2)
        else:
            torch.nn.init.normal_(weight, std=(2 * rows * columns) ** -0.5)
        if bias is not None:
            torch.nn.init.zeros_(bias)

    def _scale(self, size):
        return beta_func(size / 2, 0.5)
