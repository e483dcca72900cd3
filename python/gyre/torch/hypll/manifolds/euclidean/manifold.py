"""Euclidean space."""

import math

import torch

from gyre.torch.hypll.manifolds.base import Manifold

__all__ = ["Euclidean"]


class Euclidean(Manifold):
    """Euclidean space R^d."""

    def _project(self, x, dim, eps):
        return x

    def _expmap(self, x, v, dim):
        return v if x is None else x + v

    def _logmap(self, x, y, dim):
        return y if x is None else y - x

    def _transp(self, x, y, v, dim):
        return v.broadcast_to(torch.broadcast_shapes(x.shape, y.shape, v.shape))

    def _dist(self, x, y, dim):
        return (y - x).norm(dim=dim)

    def _cdist(self, x, y):
        return torch.cdist(x, y)

    def _inner(self, x, u, v, dim, keepdim):
        return (u * v).sum(dim=dim, keepdim=keepdim)

    def _euc_to_tangent(self, x, u, dim):
        return u

    def _hyperplane_dists(self, x, z, r):
        return self._fully_connected(x, z, r, 1)

    def _fully_connected(self, x, z, bias, dim):
        y = x.movedim(dim, -1) @ z
        return (y if bias is None else y + bias).movedim(-1, dim)

    def _frechet_mean(self, x, dim, dims, keepdim):
        return x.mean(dims, keepdim)

    def _midpoint(self, x, dim, dims, w, keepdim):
        if w is None:
            return x.mean(dims, keepdim)
        return (w * x).sum(dims, keepdim) / w.expand_as(x).sum(dims, keepdim)

    def _frechet_variance(self, x, mu, dim, dims, keepdim):
        """Of each coordinate, divided by the number of points less 1."""
        if mu is None:
            return x.var(dims, keepdim=keepdim)
        return (x - mu).square().sum(dims, keepdim) / (math.prod(x.size(d) for d in dims) - 1)

    def _weight_manifold(self):
        return self

    def _reset_parameters(self, weight, bias, id_init):
        torch.nn.init.kaiming_uniform_(weight, a=math.sqrt(5))
        if bias is not None:
            bound = 1 / math.sqrt(weight.size(1))  # HypLL's fan-in is the number of columns
            torch.nn.init.uniform_(bias, -bound, bound)

    def _scale(self, size):
        return 1.0
