"""What the manifolds share."""

import math

import torch

from gyre.torch.hypll.tensors import ManifoldParameter, ManifoldTensor, TangentTensor
from gyre.torch.hypll.tensors.wrapper import canonical_dim
from gyre.torch.hypll.utils.tensor_utils import (
    check_dims_with_broadcasting, check_if_man_dims_match, check_tangent_tensor_positions)

__all__ = ["Manifold"]


class Manifold(torch.nn.Module):
    """Base class of manifolds. A subclass defines the formulas on torch tensors, the methods that begin with `_`:
    `dim` is the dimension of the coordinates after broadcasting, and points x are the origin if None."""

    # ---- points and tangent vectors ----

    def project(self, x, eps=-1.0):
        """Projects points onto the manifold. eps is the distance that is kept from a boundary, relative to the radius
        (negative: the default of the dtype)."""
        return ManifoldTensor(self._project(x.tensor, x.man_dim, eps), self, x.man_dim)

    def expmap(self, v):
        """Exponential map of tangent vectors."""
        dim = v.broadcasted_man_dim
        points = None if v.manifold_points is None else v.manifold_points.tensor
        return ManifoldTensor(self._expmap(points, v.tensor, dim), self, dim)

    def logmap(self, x, y):
        """Logarithmic map of y at x, at the origin if None."""
        if x is None:
            return TangentTensor(self._logmap(None, y.tensor, y.man_dim), None, self, y.man_dim)
        dim = check_dims_with_broadcasting(x, y)
        return TangentTensor(self._logmap(x.tensor, y.tensor, dim), x, self, dim)

    def transp(self, v, y):
        """Parallel transport of tangent vectors to y."""
        dim = check_dims_with_broadcasting(v, y)
        return TangentTensor(self._transp(_points_of(v), y.tensor, v.tensor, dim), y, self, dim)

    def dist(self, x, y):
        """Geodesic distances between x and y."""
        dim = check_dims_with_broadcasting(x, y)
        return self._dist(x.tensor, y.tensor, dim)

    def cdist(self, x, y):
        """Geodesic distances of all pairs of points x [batch, n, d] and y [batch, m, d]: [batch, n, m]."""
        return self._cdist(x.tensor, y.tensor)

    def inner(self, u, v, keepdim=False, safe_mode=True):
        """Inner products of tangent vectors; safe_mode: ValueError unless they are at the same points."""
        dim = check_dims_with_broadcasting(u, v)
        if safe_mode:
            check_tangent_tensor_positions(u, v)
        return self._inner(_points_of(u), u.tensor, v.tensor, dim, keepdim)

    def euc_to_tangent(self, x, u):
        """Riemannian gradients at x from Euclidean gradients."""
        dim = check_dims_with_broadcasting(x, u)
        return TangentTensor(self._euc_to_tangent(x.tensor, u.tensor, dim), x, self, dim)

    # ---- sets of points ----

    def frechet_mean(self, x, batch_dim=0, keepdim=False):
        """Fréchet mean over dimensions."""
        dims, man_dim = self._reduced(x, batch_dim, keepdim)
        return ManifoldTensor(self._frechet_mean(x.tensor, x.man_dim, dims, keepdim), self, man_dim)

    def midpoint(self, x, batch_dim=0, w=None, keepdim=False):
        """Midpoint over dimensions, with weights w that broadcast with the points."""
        dims, man_dim = self._reduced(x, batch_dim, keepdim)
        return ManifoldTensor(self._midpoint(x.tensor, x.man_dim, dims, w, keepdim), self, man_dim)

    def frechet_variance(self, x, mu=None, batch_dim=-1, keepdim=False):
        """Variance over dimensions around mu, the Fréchet mean if None."""
        dims, man_dim = self._reduced(x, batch_dim, keepdim)
        if mu is not None:
            if mu.man_dim != (man_dim if mu.dim() < x.dim() else x.man_dim):
                raise ValueError(f"expected a mean with the manifold dimension of the points without batch_dim, "
                                 f"{man_dim}, got {mu.man_dim}")
            mu = mu.tensor
            for dim in dims if mu.dim() < x.dim() else ():
                mu = mu.unsqueeze(dim)
        return self._frechet_variance(x.tensor, mu, x.man_dim, dims, keepdim)

    def _reduced(self, x, batch_dim, keepdim):
        """The dimensions to reduce, in order, and the manifold dimension of the result."""
        given = [batch_dim] if isinstance(batch_dim, int) else batch_dim
        dims = sorted(canonical_dim(dim, x.dim(), "batch_dim") for dim in given)
        if x.man_dim in dims:
            raise ValueError(f"expected batch_dim other than {x.man_dim}, which has the coordinates of the points, got "
                             f"{batch_dim}")
        return dims, x.man_dim - (0 if keepdim else sum(dim < x.man_dim for dim in dims))

    # ---- layers ----

    def hyperplane_dists(self, x, z, r):
        """Signed distances of points x [n, d] to hyperplanes with normals z [d, planes] and offsets r [planes]."""
        if x.man_dim != 1 or z.man_dim != 0:
            raise ValueError(f"expected points with man_dim 1 and hyperplanes with man_dim 0, got {x.man_dim} and "
                             f"{z.man_dim}")
        return self._hyperplane_dists(x.tensor, z.tensor, r)

    def fully_connected(self, x, z, bias):
        """Fully connected layer with weights z [in, out] and a bias [out] or None."""
        if z.man_dim != 0:
            raise ValueError(f"expected weights with man_dim 0, got {z.man_dim}")
        return ManifoldTensor(self._fully_connected(x.tensor, z.tensor, bias, x.man_dim), self, x.man_dim)

    def construct_dl_parameters(self, in_features, out_features, bias=True):
        """Uninitialised weights [in_features, out_features] and bias [out_features] (None without bias) of a fully
        connected layer. Weights are vectors of Euclidean space."""
        weight = ManifoldParameter(torch.empty(in_features, out_features), self._weight_manifold(), man_dim=0)
        return weight, torch.nn.Parameter(torch.empty(out_features)) if bias else None

    def reset_parameters(self, weight, bias, id_init=True):
        """Initialises weights and bias of a fully connected layer; id_init: as half the identity matrix where that is
        usual for the manifold and shape."""
        with torch.no_grad():
            self._reset_parameters(weight.tensor, bias, id_init)

    # ---- shapes ----

    def flatten(self, x, start_dim=1, end_dim=-1):
        """Joins the dimensions start_dim, ..., end_dim; the coordinates of the points that are joined are
        concatenated."""
        start, end = (canonical_dim(dim, x.dim(), name) for dim, name in ((start_dim, "start_dim"),
                                                                          (end_dim, "end_dim")))
        if not start <= x.man_dim <= end:
            man_dim = x.man_dim - (end - start if end < x.man_dim else 0)
            return ManifoldTensor(x.tensor.flatten(start, end), x.manifold, man_dim)
        size = math.prod(x.shape[start:end + 1])
        return self._concatenated([x], size, lambda v: v.flatten(start, end), start)

    def unfold(self, input, kernel_size, dilation=1, padding=0, stride=1):
        """The points [n, c, height, width] of each window, concatenated: [n, c * size of the kernel, windows]."""
        height, width = pair(kernel_size)
        return self._concatenated([input], input.size(1) * height * width, lambda v: torch.nn.functional.unfold(
            v, (height, width), dilation=dilation, padding=padding, stride=stride), 1)

    def cat(self, manifold_tensors, dim=0):
        """Concatenates points along a dimension, or their coordinates."""
        check_if_man_dims_match(manifold_tensors)
        first = manifold_tensors[0]
        dim = canonical_dim(dim, first.dim(), "dim")
        if dim != first.man_dim:
            return ManifoldTensor(torch.cat([x.tensor for x in manifold_tensors], dim), self, first.man_dim)
        size = sum(x.size(dim) for x in manifold_tensors)
        return self._concatenated(manifold_tensors, size, lambda *v: torch.cat(v, dim), dim)

    def _concatenated(self, points, size, join, man_dim):
        """exp0 of the joined logarithms, scaled so that the expected distance from the origin does not grow with the
        number `size` of coordinates. (Shimizu, Mukuta and Harada 2021, section 3.3.)"""
        vectors = [self._logmap(None, x.tensor, x.man_dim) * (self._scale(size) / self._scale(x.size(x.man_dim)))
                   for x in points]
        return ManifoldTensor(self._expmap(None, join(*vectors), man_dim), self, man_dim)


def pair(value):
    """A number or a pair of numbers as a pair."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def _points_of(v):
    return torch.zeros_like(v.tensor) if v.manifold_points is None else v.manifold_points.tensor
