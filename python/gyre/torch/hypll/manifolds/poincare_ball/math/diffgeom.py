"""Points and tangent vectors. `dim` is the dimension of the coordinates, after broadcasting if it is counted from the
start. expmap and expmap0 project as `project`."""

import gyre.torch
from gyre.torch.geoopt.manifolds.stereographic import math as stereographic

__all__ = ["cdist", "dist", "euc_to_tangent", "expmap", "expmap0", "gyration", "inner", "logmap", "logmap0",
           "mobius_add", "project", "transp"]


def mobius_add(x, y, c, dim=-1):
    """Möbius addition x ⊕ y."""
    return stereographic.mobius_add(x, y, k=-c, dim=dim)


def project(x, c, dim=-1, eps=-1.0):
    """Clips the norm of x to (1 - eps) / sqrt(c); a negative eps is 4e-3 in float32 and 1e-5 in float64."""
    return stereographic.project(x, k=-c, dim=dim, eps=eps)


def expmap0(v, c, dim=-1):
    """Exponential map of v at the origin."""
    return project(stereographic.expmap0(v, k=-c, dim=dim), c, dim)


def logmap0(y, c, dim=-1):
    """Logarithmic map of y at the origin."""
    return stereographic.logmap0(y, k=-c, dim=dim)


def expmap(x, v, c, dim=-1):
    """Exponential map of v at x."""
    return project(stereographic.expmap(x, v, k=-c, dim=dim), c, dim)


def logmap(x, y, c, dim=-1):
    """Logarithmic map of y at x."""
    return stereographic.logmap(x, y, k=-c, dim=dim)


def gyration(u, v, w, c, dim=-1):
    """Gyration gyr[u, v] w."""
    return stereographic.gyration(u, v, w, k=-c, dim=dim)


def transp(x, y, v, c, dim=-1):
    """Parallel transport of v from x to y."""
    return stereographic.parallel_transport(x, y, v, k=-c, dim=dim)


def dist(x, y, c, dim=-1, keepdim=False):
    """Geodesic distance between x and y."""
    return stereographic.dist(x, y, k=-c, dim=dim, keepdim=keepdim)


def inner(x, u, v, c, dim=-1, keepdim=False):
    """Inner product of tangent vectors u and v at x."""
    return stereographic.inner(x, u, v, k=-c, dim=dim, keepdim=keepdim)


def euc_to_tangent(x, u, c, dim=-1):
    """Riemannian gradient at x from the Euclidean gradient u."""
    return stereographic.egrad2rgrad(x, u, k=-c, dim=dim)


def cdist(x, y, c):
    """Geodesic distances of all pairs of points x [..., n, d] and y [..., m, d]."""
    return gyre.torch.poincare_cdist(x, y, c.to(x.dtype))
