"""Layers on stereographic models."""

import torch

from gyre.torch.geoopt.tensor import ManifoldParameter
from gyre.torch.geoopt.utils import size2shape

__all__ = ["Distance2StereographicHyperplanes"]


class Distance2StereographicHyperplanes(torch.nn.Module):
    """Distances of points to `num_planes` learned geodesic hyperplanes through points of `ball`, whose normals are
    the points themselves. Input [..., plane_shape, *], with ndim dimensions *; output [..., num_planes, *]."""

    def __init__(self, plane_shape, num_planes, signed=True, squared=False, *, ball, init_std=1.0, ndim=0):
        super().__init__()
        self.plane_shape, self.num_planes = size2shape(plane_shape), num_planes
        self.signed, self.squared, self.ndim = signed, squared, ndim
        self.ball, self.init_std = ball, init_std
        self.points = ManifoldParameter(torch.empty(num_planes, *self.plane_shape), manifold=ball)
        self.reset_parameters()

    def forward(self, input):
        points = self.points.mT.reshape(*self.points.mT.shape, *(1,) * self.ndim)
        distance = self.ball.dist2plane(
            x=input.unsqueeze(-self.ndim - 1), p=points, a=points, signed=self.signed, dim=-self.ndim - 2)
        return distance * (distance.abs() if self.signed else distance) if self.squared else distance

    def extra_repr(self):
        return f"ndim={self.ndim}, plane_shape={self.plane_shape}, num_planes={self.num_planes}"

    @torch.no_grad()
    def reset_parameters(self):
        self.points.set_(self.ball.random_normal(*self.points.shape, std=self.init_std))
