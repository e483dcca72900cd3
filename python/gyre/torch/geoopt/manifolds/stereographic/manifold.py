"""The k-stereographic model as manifolds: any curvature, the Poincaré ball, the projected sphere."""

import torch

from gyre.torch.geoopt.manifolds.base import Manifold, ScalingInfo
from gyre.torch.geoopt.manifolds.stereographic import math
from gyre.torch.geoopt.utils import broadcast_shapes

__all__ = ["PoincareBall", "PoincareBallExact", "SphereProjection", "SphereProjectionExact", "Stereographic",
           "StereographicExact"]


def curvature_parameter(value, learnable):
    """A parameter with a copy of the value; integers become the default dtype."""
    value = torch.as_tensor(value).detach().clone()
    if not value.is_floating_point():
        value = value.to(torch.get_default_dtype())
    return torch.nn.Parameter(value, requires_grad=learnable)


def _inverse_softplus(parameter):
    with torch.no_grad():
        parameter.copy_(parameter + torch.log(-torch.expm1(-parameter)))
    return parameter


class Stereographic(Manifold):
    """k-stereographic model of sectional curvature k: the Poincaré ball for k < 0, Euclidean space for k = 0, the
    sphere in stereographic projection for k > 0. Points lie along `dim`. Optimisers use x + u, projected, as
    retraction. project=False skips the projection of a result into the ball."""

    ndim = 1
    reversible = False
    name = property(lambda self: type(self).__name__)
    __scaling__ = Manifold.__scaling__.copy()

    def __init__(self, k=0.0, learnable=False):
        super().__init__()
        self.k = curvature_parameter(k, learnable)

    @property
    def radius(self):
        """1 / sqrt(|k|)."""
        return self.k.abs().rsqrt()

    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5, dim=-1):
        if torch.allclose(x, self.projx(x, dim=dim), atol=atol, rtol=rtol):
            return True, None
        return False, "expected a norm below 1 / sqrt(-k); project x with projx"

    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5, dim=-1):
        return True, None

    def _projected(self, x, project, dim):
        return math.project(x, k=self.k, dim=dim) if project else x

    def dist(self, x, y, *, keepdim=False, dim=-1):
        return math.dist(x, y, k=self.k, keepdim=keepdim, dim=dim)

    def dist2(self, x, y, *, keepdim=False, dim=-1):
        return math.dist2(x, y, k=self.k, keepdim=keepdim, dim=dim)

    def egrad2rgrad(self, x, u, *, dim=-1):
        return math.egrad2rgrad(x, u, k=self.k, dim=dim)

    def retr(self, x, u, *, dim=-1):
        return math.project(x + u, k=self.k, dim=dim)

    def projx(self, x, *, dim=-1):
        return math.project(x, k=self.k, dim=dim)

    def proju(self, x, u, *, dim=-1):
        return u.expand(broadcast_shapes(x.shape, u.shape))

    def inner(self, x, u, v=None, *, keepdim=False, dim=-1):
        return math.inner(x, u, u if v is None else v, k=self.k, keepdim=keepdim, dim=dim)

    def norm(self, x, u, *, keepdim=False, dim=-1):
        return math.norm(x, u, k=self.k, keepdim=keepdim, dim=dim)

    def expmap(self, x, u, *, project=True, dim=-1):
        return self._projected(math.expmap(x, u, k=self.k, dim=dim), project, dim)

    def logmap(self, x, y, *, dim=-1):
        return math.logmap(x, y, k=self.k, dim=dim)

    def transp(self, x, y, v, *, dim=-1):
        return math.parallel_transport(x, y, v, k=self.k, dim=dim)

    def retr_transp(self, x, u, v, *, dim=-1):
        y = self.retr(x, u, dim=dim)
        return y, self.transp(x, y, v, dim=dim)

    def transp_follow_retr(self, x, u, v, *, dim=-1):
        return self.retr_transp(x, u, v, dim=dim)[1]

    def expmap_transp(self, x, u, v, *, dim=-1, project=True):
        y = self.expmap(x, u, dim=dim, project=project)
        return y, self.transp(x, y, v, dim=dim)

    def transp_follow_expmap(self, x, u, v, *, dim=-1, project=True):
        return self.expmap_transp(x, u, v, dim=dim, project=project)[1]

    def mobius_add(self, x, y, *, dim=-1, project=True):
        """Möbius addition x ⊕ y."""
        return self._projected(math.mobius_add(x, y, k=self.k, dim=dim), project, dim)

    def mobius_sub(self, x, y, *, dim=-1, project=True):
        """Möbius subtraction x ⊕ (-y)."""
        return self._projected(math.mobius_sub(x, y, k=self.k, dim=dim), project, dim)

    def mobius_coadd(self, x, y, *, dim=-1, project=True):
        """Möbius coaddition, which is commutative."""
        return self._projected(math.mobius_coadd(x, y, k=self.k, dim=dim), project, dim)

    def mobius_cosub(self, x, y, *, dim=-1, project=True):
        """Möbius coaddition of x and -y."""
        return self._projected(math.mobius_cosub(x, y, k=self.k, dim=dim), project, dim)

    def mobius_scalar_mul(self, r, x, *, dim=-1, project=True):
        """Möbius scalar multiplication r ⊗ x."""
        return self._projected(math.mobius_scalar_mul(r, x, k=self.k, dim=dim), project, dim)

    def mobius_pointwise_mul(self, w, x, *, dim=-1, project=True):
        """Möbius multiplication with a diagonal matrix w."""
        return self._projected(math.mobius_pointwise_mul(w, x, k=self.k, dim=dim), project, dim)

    def mobius_matvec(self, m, x, *, dim=-1, project=True):
        """Möbius matrix-vector multiplication m ⊗ x."""
        return self._projected(math.mobius_matvec(m, x, k=self.k, dim=dim), project, dim)

    def geodesic(self, t, x, y, *, dim=-1):
        """Point at t on the geodesic from x (t = 0) to y (t = 1)."""
        return math.geodesic(t, x, y, k=self.k, dim=dim)

    @__scaling__(ScalingInfo(t=-1))
    def geodesic_unit(self, t, x, u, *, dim=-1, project=True):
        """Point at distance t from x in the direction u."""
        return self._projected(math.geodesic_unit(t, x, u, k=self.k, dim=dim), project, dim)

    def lambda_x(self, x, *, dim=-1, keepdim=False):
        """Conformal factor at x."""
        return math.lambda_x(x, k=self.k, dim=dim, keepdim=keepdim)

    @__scaling__(ScalingInfo(1))
    def dist0(self, x, *, dim=-1, keepdim=False):
        """Geodesic distance from x to the origin."""
        return math.dist0(x, k=self.k, dim=dim, keepdim=keepdim)

    @__scaling__(ScalingInfo(u=-1))
    def expmap0(self, u, *, dim=-1, project=True):
        """Exponential map of u at the origin."""
        return self._projected(math.expmap0(u, k=self.k, dim=dim), project, dim)

    @__scaling__(ScalingInfo(1))
    def logmap0(self, x, *, dim=-1):
        """Logarithmic map of x at the origin."""
        return math.logmap0(x, k=self.k, dim=dim)

    def transp0(self, y, u, *, dim=-1):
        """Parallel transport of u from the origin to y."""
        return math.parallel_transport0(y, u, k=self.k, dim=dim)

    def transp0back(self, y, u, *, dim=-1):
        """Parallel transport of u from y to the origin."""
        return math.parallel_transport0back(y, u, k=self.k, dim=dim)

    def gyration(self, x, y, z, *, dim=-1):
        """Gyration gyr[x, y] z."""
        return math.gyration(x, y, z, k=self.k, dim=dim)

    def antipode(self, x, *, dim=-1):
        """Antipode of x on the sphere; -x for k <= 0."""
        return math.antipode(x, k=self.k, dim=dim)

    @__scaling__(ScalingInfo(1))
    def dist2plane(self, x, p, a, *, dim=-1, keepdim=False, signed=False, scaled=False):
        """Distance of x to the geodesic hyperplane through p with normal a."""
        return math.dist2plane(x, p, a, k=self.k, dim=dim, keepdim=keepdim, signed=signed, scaled=scaled)

    @__scaling__(ScalingInfo.NotCompatible)
    def mobius_fn_apply(self, fn, x, *args, dim=-1, project=True, **kwargs):
        """fn applied in the tangent space at the origin."""
        return self._projected(math.mobius_fn_apply(fn, x, *args, k=self.k, dim=dim, **kwargs), project, dim)

    @__scaling__(ScalingInfo.NotCompatible)
    def mobius_fn_apply_chain(self, x, *fns, project=True, dim=-1):
        """Functions applied one after the other in the tangent space at the origin."""
        return self._projected(math.mobius_fn_apply_chain(x, *fns, k=self.k, dim=dim), project, dim)

    @__scaling__(ScalingInfo(std=-1), "random")
    def random_normal(self, *size, mean=0, std=1, dtype=None, device=None):
        """expmap0 of a normal tangent vector at the origin, of variance std^2 / d per coordinate and given mean."""
        shape = self._shape(size)
        noise = torch.randn(shape, **self._own(self.k, dtype, device))
        return self._points(self.expmap0(noise * std / shape[-1] ** 0.5 + mean))

    random = random_normal

    @__scaling__(ScalingInfo(std=-1))
    def wrapped_normal(self, *size, mean, std=1, dtype=None, device=None):
        """Wrapped normal distribution around mean."""
        noise = torch.randn(self._shape(size), **self._own(self.k, dtype, device)) * std
        return self._points(self.expmap(mean, noise / self.lambda_x(mean, keepdim=True)))

    def origin(self, *size, dtype=None, device=None, seed=42):
        return self._points(torch.zeros(self._shape(size), dtype=dtype, device=device))

    def weighted_midpoint(self, xs, weights=None, *, reducedim=None, dim=-1, keepdim=False, lincomb=False,
                          posweight=False, project=True):
        """Weighted gyromidpoint over the dimensions reducedim (all except dim)."""
        return self._projected(math.weighted_midpoint(
            xs, weights, k=self.k, reducedim=reducedim, dim=dim, keepdim=keepdim, lincomb=lincomb,
            posweight=posweight), project, dim)

    def sproj(self, x, *, dim=-1):
        """Stereographic projection of the sphere or hyperboloid to this model."""
        return math.sproj(x, k=self.k, dim=dim)

    def inv_sproj(self, x, *, dim=-1):
        """Inverse of the stereographic projection."""
        return math.inv_sproj(x, k=self.k, dim=dim)


class StereographicExact(Stereographic):
    """Stereographic whose retraction is the exponential map."""

    reversible = True

    retr = Stereographic.expmap
    retr_transp = Stereographic.expmap_transp
    transp_follow_retr = Stereographic.transp_follow_expmap

    def extra_repr(self):
        return "exact"


class PoincareBall(Stereographic):
    """Poincaré ball of curvature -c. A learned c stays positive: it is the softplus of the parameter isp_c."""

    def __init__(self, c=1.0, learnable=False):
        super().__init__(k=c, learnable=learnable)
        self.isp_c = _inverse_softplus(self._parameters.pop("k"))

    @property
    def c(self):
        return torch.nn.functional.softplus(self.isp_c)

    @property
    def k(self):
        return -self.c


class PoincareBallExact(PoincareBall, StereographicExact):
    """PoincareBall whose retraction is the exponential map."""


class SphereProjection(Stereographic):
    """Sphere of curvature k in stereographic projection. A learned k stays positive: it is the softplus of the
    parameter isp_k."""

    def __init__(self, k=1.0, learnable=False):
        super().__init__(k=k, learnable=learnable)
        self.isp_k = _inverse_softplus(self._parameters.pop("k"))

    @property
    def k(self):
        return torch.nn.functional.softplus(self.isp_k)


class SphereProjectionExact(SphereProjection, StereographicExact):
    """SphereProjection whose retraction is the exponential map."""
