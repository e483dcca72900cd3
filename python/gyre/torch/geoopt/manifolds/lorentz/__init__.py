"""The hyperboloid model of hyperbolic space."""

import torch

from gyre.torch.geoopt.manifolds.base import Manifold, ScalingInfo
from gyre.torch.geoopt.manifolds.lorentz import math
from gyre.torch.geoopt.manifolds.stereographic.manifold import curvature_parameter

__all__ = ["Lorentz", "math"]


class Lorentz(Manifold):
    """Hyperboloid -<x, x> = k > 0 of curvature -1 / k; coordinate 0 of a point along `dim` is its time. The
    exponential map is the retraction of optimisers."""

    ndim = 1
    reversible = False
    name = "Lorentz"
    __scaling__ = Manifold.__scaling__.copy()

    def __init__(self, k=1.0, learnable=False):
        super().__init__()
        self.k = curvature_parameter(k, learnable)

    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5, dim=-1):
        form = math.inner(x, x, dim=dim, keepdim=True)
        wanted = -self.k.to(form.dtype).expand_as(form)
        if torch.allclose(form, wanted, atol=atol, rtol=rtol):
            return True, None
        return False, "expected the Minkowski form <x, x> = -k; project x with projx"

    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5, dim=-1):
        form = math.inner(u, x, dim=dim)
        if torch.allclose(form, torch.zeros_like(form), atol=atol, rtol=rtol):
            return True, None
        return False, "expected the Minkowski form <x, u> = 0; project u with proju"

    def dist(self, x, y, *, keepdim=False, dim=-1):
        return math.dist(x, y, k=self.k, keepdim=keepdim, dim=dim)

    @__scaling__(ScalingInfo(1))
    def dist0(self, x, *, dim=-1, keepdim=False):
        """Geodesic distance from x to the origin."""
        return math.dist0(x, k=self.k, keepdim=keepdim, dim=dim)

    def norm(self, u, *, keepdim=False, dim=-1):
        """Minkowski norm of a tangent vector; it does not depend on the point, which is no argument."""
        return math.norm(u, keepdim=keepdim, dim=dim)

    def egrad2rgrad(self, x, u, *, dim=-1):
        return math.egrad2rgrad(x, u, k=self.k, dim=dim)

    def projx(self, x, *, dim=-1):
        return math.project(x, k=self.k, dim=dim)

    def proju(self, x, v, *, dim=-1):
        return math.project_u(x, v, k=self.k, dim=dim)

    def expmap(self, x, u, *, norm_tan=True, project=True, dim=-1):
        """Exponential map of u at x; norm_tan projects u onto the tangent space first."""
        if norm_tan:
            u = self.proju(x, u, dim=dim)
        return math.expmap(x, u, k=self.k, dim=dim)  # on the hyperboloid without a projection

    retr = expmap

    @__scaling__(ScalingInfo(u=-1))
    def expmap0(self, u, *, project=True, dim=-1):
        """Exponential map of u at the origin."""
        return math.expmap0(u, k=self.k, dim=dim)

    def logmap(self, x, y, *, dim=-1):
        return math.logmap(x, y, k=self.k, dim=dim)

    @__scaling__(ScalingInfo(1))
    def logmap0(self, y, *, dim=-1):
        """Logarithmic map of y at the origin."""
        return math.logmap0(y, k=self.k, dim=dim)

    def logmap0back(self, x, *, dim=-1):
        """Logarithmic map of the origin at x."""
        return math.logmap0back(x, k=self.k, dim=dim)

    def inner(self, x, u, v=None, *, keepdim=False, dim=-1):
        return math.inner(u, u if v is None else v, keepdim=keepdim, dim=dim)

    def inner0(self, v, *, keepdim=False, dim=-1):
        """Minkowski form of v and the origin."""
        return math.inner0(v, k=self.k, keepdim=keepdim, dim=dim)

    def transp(self, x, y, v, *, dim=-1):
        return math.parallel_transport(x, y, v, k=self.k, dim=dim)

    def transp0(self, y, u, *, dim=-1):
        """Parallel transport of u from the origin to y."""
        return math.parallel_transport0(y, u, k=self.k, dim=dim)

    def transp0back(self, x, u, *, dim=-1):
        """Parallel transport of u from x to the origin."""
        return math.parallel_transport0back(x, u, k=self.k, dim=dim)

    def transp_follow_expmap(self, x, u, v, *, dim=-1, project=True):
        return self.transp(x, self.expmap(x, u, dim=dim, project=project), v, dim=dim)

    @__scaling__(ScalingInfo(t=-1))
    def geodesic_unit(self, t, x, u, *, dim=-1, project=True):
        """Point at distance t from x in the direction of the unit vector u."""
        y = math.geodesic_unit(t, x, u, k=self.k)
        return math.project(y, k=self.k, dim=dim) if project else y

    @__scaling__(ScalingInfo(std=-1), "random")
    def random_normal(self, *size, mean=0, std=1, dtype=None, device=None):
        """expmap0 of a normal tangent vector at the origin, of variance std^2 / d per coordinate and given mean."""
        shape = self._shape(size)
        noise = torch.randn(shape, **self._own(self.k, dtype, device)) * std / max(shape[-1] - 1, 1) ** 0.5 + mean
        return self._points(self.expmap0(noise))  # which ignores the time of a tangent vector at the origin

    random = random_normal

    def origin(self, *size, dtype=None, device=None, seed=42):
        k = self.k.detach().to(dtype=dtype, device=device)
        return self._points(math.project(torch.zeros(self._shape(size), dtype=k.dtype, device=k.device), k=k))
