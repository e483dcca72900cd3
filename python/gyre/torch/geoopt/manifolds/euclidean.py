"""Euclidean space."""

import torch

from gyre.torch.geoopt.manifolds.base import Manifold, ScalingInfo
from gyre.torch.geoopt.utils import broadcast_shapes

__all__ = ["Euclidean"]


class Euclidean(Manifold):
    """Euclidean space of tensors with `ndim` dimensions; ndim = 0: each number is a point."""

    __scaling__ = Manifold.__scaling__.copy()
    name = "Euclidean"
    ndim = 0
    reversible = True

    def __init__(self, ndim=0):
        super().__init__()
        self.ndim = ndim

    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5):
        return True, None

    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5):
        return True, None

    def _sum(self, products, keepdim):
        return products.sum(dim=tuple(range(-self.ndim, 0)), keepdim=keepdim) if self.ndim else products

    def _norm(self, u, keepdim):
        return u.norm(dim=tuple(range(-self.ndim, 0)), keepdim=keepdim) if self.ndim else u.abs()

    def retr(self, x, u):
        return x + u

    def expmap(self, x, u):
        return x + u

    def logmap(self, x, y):
        return y - x

    def inner(self, x, u, v=None, *, keepdim=False):
        return self._sum(_like(x, u * (u if v is None else v)), keepdim)

    def component_inner(self, x, u, v=None):
        return _like(x, u * (u if v is None else v))

    def norm(self, x, u, *, keepdim=False):
        return self._norm(u, keepdim)

    def dist(self, x, y, *, keepdim=False):
        return self._norm(x - y, keepdim)

    def dist2(self, x, y, *, keepdim=False):
        return self._sum((x - y).square(), keepdim)

    def projx(self, x):
        return x

    def proju(self, x, u):
        return _like(x, u)

    def egrad2rgrad(self, x, u):
        return _like(x, u)

    def transp(self, x, y, v):
        return v.expand(broadcast_shapes(x.shape, y.shape, v.shape))

    @__scaling__(ScalingInfo(std=-1), "random")
    def random_normal(self, *size, mean=0.0, std=1.0, device=None, dtype=None):
        """Normally distributed points."""
        mean, std = (torch.as_tensor(number, device=device, dtype=dtype) for number in (mean, std))
        return self._points(torch.randn(self._shape(size), device=std.device, dtype=std.dtype) * std + mean)

    random = random_normal

    def origin(self, *size, dtype=None, device=None, seed=42):
        return self._points(torch.zeros(self._shape(size), dtype=dtype, device=device))

    def extra_repr(self):
        return f"ndim={self.ndim}"


def _like(x, u):
    return u.expand(broadcast_shapes(x.shape, u.shape))
