"""Formulas of the hyperboloid -<x, x> = k with <u, v> = -u_0 v_0 + u_1 v_1 + ..., of curvature -1 / k.

gyre's ops take the space coordinates u_1, u_2, ... and compute the time u_0 from them, so results do not lose digits
far from the origin. A time coordinate that contradicts the others has no effect."""

import torch

from gyre.torch.geoopt._kernels import call


def _gyre(name, vectors, k, dim, per_row=(), **options):
    k = torch.as_tensor(k)
    return call(f"lorentz_{name}", vectors, 1 / k, dim, per_row, **options)


def _space(x, dim):
    return x.narrow(dim, 1, x.size(dim) - 1)


def _time(x, dim):
    return x.narrow(dim, 0, 1)


def _tangent(x, v, dim, k):
    """The tangent vector with space coordinates v at a point with space coordinates x."""
    time = _time(_gyre("with_time", [x], k, dim), dim)
    return torch.cat(((x * v).sum(dim=dim, keepdim=True) / time, v), dim=dim)


def _tangent0(v, dim):
    return torch.cat((torch.zeros_like(_time(v, dim)), v), dim=dim)


def arcosh(x):
    """Inverse hyperbolic cosine; 0 for x < 1."""
    return torch.acosh(x.clamp_min(1))


def inner(u, v, *, keepdim=False, dim=-1):
    """Minkowski form <u, v>."""
    product = u * v
    form = _space(product, dim).sum(dim=dim, keepdim=True) - _time(product, dim)
    return form if keepdim else form.squeeze(dim)


def inner0(v, *, k, keepdim=False, dim=-1):
    """Minkowski form of v and the origin."""
    form = -_time(v, dim) * torch.as_tensor(k).sqrt()
    return form if keepdim else form.squeeze(dim)


def dist(x, y, *, k, keepdim=False, dim=-1):
    """Geodesic distance between x and y."""
    return _gyre("dist", [_space(x, dim), _space(y, dim)], k, dim, keepdim=keepdim)


def dist0(x, *, k, keepdim=False, dim=-1):
    """Geodesic distance from x to the origin."""
    return _gyre("dist0", [_space(x, dim)], k, dim, keepdim=keepdim)


def project(x, *, k, dim=-1):
    """Replaces the time coordinate of x by that of a point."""
    return _gyre("with_time", [_space(x, dim)], k, dim)


def project_polar(x, *, k, dim=-1):
    """The point of polar coordinates: a unit direction and, last along dim, the distance from the origin."""
    direction, distance = x.narrow(dim, 0, x.size(dim) - 1), x.narrow(dim, -1, 1)
    radius = torch.as_tensor(k).sqrt()
    return radius * torch.cat((torch.cosh(distance / radius), torch.sinh(distance / radius) * direction), dim=dim)


def project_u(x, v, *, k, dim=-1):
    """Projection of v onto the tangent space at x."""
    return v + inner(x, v, dim=dim, keepdim=True) * (x / k)


def norm(u, *, keepdim=False, dim=-1):
    """Minkowski norm of a tangent vector."""
    square = inner(u, u, keepdim=keepdim, dim=dim)
    positive = square > 0  # rounding gives zero vectors a negative square
    return torch.where(positive, torch.where(positive, square, 1).sqrt(), 0)


def expmap(x, u, *, k, dim=-1):
    """Exponential map of u at x."""
    return _gyre("with_time", [_gyre("exp", [_space(x, dim), _space(u, dim)], k, dim)], k, dim)


def expmap0(u, *, k, dim=-1):
    """Exponential map of u at the origin."""
    return _gyre("with_time", [_gyre("exp0", [_space(u, dim)], k, dim)], k, dim)


def logmap(x, y, *, k, dim=-1):
    """Logarithmic map of y at x."""
    x = _space(x, dim)
    return _tangent(x, _gyre("log", [x, _space(y, dim)], k, dim), dim, k)


def logmap0(y, *, k, dim=-1):
    """Logarithmic map of y at the origin."""
    return _tangent0(_gyre("log0", [_space(y, dim)], k, dim), dim)


def logmap0back(x, *, k, dim=-1):
    """Logarithmic map of the origin at x."""
    return logmap(x, torch.zeros_like(x), k=k, dim=dim)


def egrad2rgrad(x, grad, *, k, dim=-1):
    """Riemannian gradient at x from the Euclidean gradient."""
    return project_u(x, torch.cat((-_time(grad, dim), _space(grad, dim)), dim=dim), k=k, dim=dim)


def parallel_transport(x, y, v, *, k, dim=-1):
    """Parallel transport of v from x to y."""
    y = _space(y, dim)
    return _tangent(y, _gyre("transport", [_space(x, dim), y, _space(v, dim)], k, dim), dim, k)


def parallel_transport0(y, v, *, k, dim=-1):
    """Parallel transport of v from the origin to y."""
    y = _space(y, dim)
    return _tangent(y, _gyre("transport0", [y, _space(v, dim)], k, dim), dim, k)


def parallel_transport0back(x, v, *, k, dim=-1):
    """Parallel transport of v from x to the origin."""
    x = _space(x, dim)
    return _tangent0(_gyre("transport", [x, torch.zeros_like(x), _space(v, dim)], k, dim), dim)


def geodesic_unit(t, x, u, *, k):
    """Point at distance t from x in the direction of the unit vector u."""
    radius = torch.as_tensor(k).sqrt()
    return torch.cosh(t / radius) * x + radius * torch.sinh(t / radius) * u


def lorentz_to_poincare(x, k, dim=-1):
    """Projection onto the Poincaré ball of radius 1."""
    return _space(x, dim) / (_time(x, dim) + torch.as_tensor(k).sqrt())


def poincare_to_lorentz(x, k, dim=-1, eps=1e-6):
    """The point of the hyperboloid for a point of the Poincaré ball of radius 1; eps keeps it finite."""
    square = x.square().sum(dim=dim, keepdim=True)
    return torch.as_tensor(k).sqrt() * torch.cat((1 + square, 2 * x), dim=dim) / (1 - square + eps)
