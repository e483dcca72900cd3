"""Formulas of the k-stereographic model: the Poincaré ball for k < 0, Euclidean space for k = 0, the sphere in
stereographic projection for k > 0. k is the sectional curvature, a scalar or one value per row with size 1 along
`dim`. (Bachmann, Bécigneul, Ganea, "Constant Curvature Graph Convolutional Networks", 2020.)"""

import functools

import torch

from gyre.torch.geoopt._kernels import call
from gyre.torch.geoopt.utils import clamp_abs

_TINY = 1e-15  # smallest denominator
_INSIDE = {torch.float64: 1e-14}  # distance from the boundary, relative to the radius, that rounding cannot exceed


def _gyre(name, points, vectors, k, dim, per_row=(), **options):
    """gyre's op. Points outside the ball, where it gives NaN, are first moved inside: an optimiser meets them where a
    learned ball has shrunk."""
    c = -torch.as_tensor(k)
    points = [call("poincare_project", [x], c, dim, margin=_INSIDE.get(x.dtype, 2.4e-7)) for x in points]
    return call(f"poincare_{name}", [*points, *vectors], c, dim, per_row, **options)


def tanh(x):
    """Hyperbolic tangent."""
    return torch.tanh(x)


def artanh(x):
    """Inverse hyperbolic tangent; |x| is limited to the largest number below 1."""
    limit = 1 - torch.finfo(x.dtype).eps
    return torch.atanh(x.clamp(-limit, limit))


def arsinh(x):
    """Inverse hyperbolic sine."""
    return torch.asinh(x)


def _arcsin(x):
    limit = 1 - torch.finfo(x.dtype).eps
    return torch.asin(x.clamp(-limit, limit))


# Coefficients of f(sqrt z) / sqrt z in powers of z.
_TAN = (1, 1 / 3, 2 / 15, 17 / 315, 62 / 2835, 1382 / 155925)
_ARTAN = (1, -1 / 3, 1 / 5, -1 / 7, 1 / 9, -1 / 11)
_SIN = (1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800)
_ARSIN = (1, 1 / 6, 3 / 40, 15 / 336, 105 / 3456, 945 / 42240)


def _taylor(x, k, order, coefficients):
    if not -1 <= order <= 5:
        raise RuntimeError(f"expected an order from -1 to 5, got {order}")
    if order == 0:
        return x
    z, total = k * x * x, 0.0
    for coefficient in reversed(coefficients[:order + 1] if order >= 0 else coefficients):
        total = total * z + coefficient
    return x * total


def tan_k_zero_taylor(x, k, order=-1):
    """Taylor polynomial of tan_k around k = 0 with `order` powers of k (-1: 5)."""
    return _taylor(x, k, order, _TAN)


def artan_k_zero_taylor(x, k, order=-1):
    """Taylor polynomial of artan_k around k = 0 with `order` powers of k (-1: 5)."""
    return _taylor(x, k, order, _ARTAN)


def arsin_k_zero_taylor(x, k, order=-1):
    """Taylor polynomial of arsin_k around k = 0 with `order` powers of k (-1: 5)."""
    return _taylor(x, k, order, _ARSIN)


def sin_k_zero_taylor(x, k, order=-1):
    """Taylor polynomial of sin_k around k = 0 with `order` powers of k (-1: 5)."""
    return _taylor(x, k, order, _SIN)


def _curved(x, k, spherical, hyperbolic, coefficients):
    """x f(sqrt z) / sqrt z for z = k x^2, whose f depends on the sign of z."""
    k = torch.as_tensor(k)
    z = k * x * x
    small = z.abs() < (2e-3 if z.dtype == torch.float64 else 0.05)  # where six terms of the series are exact
    root = torch.where(small, torch.ones_like(z), z).abs().sqrt()
    # Both branches are differentiated; one that is not taken gets a harmless argument.
    half = torch.full_like(root, 0.5)
    positive, negative = ~small & (z > 0), ~small & (z < 0)
    value = torch.where(positive, spherical(torch.where(positive, root, half)),
                        hyperbolic(torch.where(negative, root, half))) / root
    return x * torch.where(small, _taylor(torch.ones_like(z), torch.where(small, z, 0), -1, coefficients), value)


def tan_k(x, k):
    """tan(sqrt(k) x) / sqrt(k); with tanh for k < 0."""
    return _curved(x, k, torch.tan, tanh, _TAN)


def artan_k(x, k):
    """arctan(sqrt(k) x) / sqrt(k); with artanh for k < 0."""
    return _curved(x, k, torch.atan, artanh, _ARTAN)


def sin_k(x, k):
    """sin(sqrt(k) x) / sqrt(k); with sinh for k < 0."""
    return _curved(x, k, torch.sin, torch.sinh, _SIN)


def arsin_k(x, k):
    """arcsin(sqrt(k) x) / sqrt(k); with arsinh for k < 0."""
    return _curved(x, k, _arcsin, arsinh, _ARSIN)


def project(x, *, k, dim=-1, eps=-1):
    """Clips the norm of x to (1 - eps) / sqrt(-k) if k < 0. eps is 4e-3 in float32 and 1e-5 in float64 unless
    given."""
    if eps < 0:
        eps = {torch.float32: 4e-3, torch.float64: 1e-5}.get(x.dtype, 4 * torch.finfo(x.dtype).eps)
    return call("poincare_project", [x], -torch.as_tensor(k), dim, margin=eps)


def lambda_x(x, *, k, keepdim=False, dim=-1):
    """Conformal factor 2 / (1 + k |x|^2)."""
    return _gyre("lambda", [x], [], k, dim, keepdim=keepdim)


def inner(x, u, v, *, k, keepdim=False, dim=-1):
    """Inner product <u, v> of tangent vectors at x."""
    return _gyre("inner", [x], [u, v], k, dim, keepdim=keepdim)


def norm(x, u, *, k, keepdim=False, dim=-1):
    """Norm of a tangent vector u at x."""
    return _gyre("norm", [x], [u], k, dim, keepdim=keepdim)


def mobius_add(x, y, *, k, dim=-1):
    """Möbius addition x ⊕ y."""
    return _gyre("add", [x, y], [], k, dim)


def mobius_sub(x, y, *, k, dim=-1):
    """Möbius subtraction x ⊕ (-y)."""
    return _gyre("add", [x, -y], [], k, dim)


def gyration(a, b, u, *, k, dim=-1):
    """Gyration gyr[a, b] u = -(a ⊕ b) ⊕ (a ⊕ (b ⊕ u)), extended to tangent vectors u by linearity."""
    return _gyre("gyration", [a, b], [u], k, dim)


def mobius_coadd(x, y, *, k, dim=-1):
    """Möbius coaddition x ⊕ gyr[x, -y] y, which is commutative."""
    return mobius_add(x, gyration(x, -y, y, k=k, dim=dim), k=k, dim=dim)


def mobius_cosub(x, y, *, k, dim=-1):
    """Möbius cosubtraction: the coaddition of x and -y."""
    return mobius_coadd(x, -y, k=k, dim=dim)


def mobius_scalar_mul(r, x, *, k, dim=-1):
    """Möbius scalar multiplication r ⊗ x."""
    return _gyre("scalar_rows", [x], [], k, dim, [torch.as_tensor(r, device=x.device)])


def dist(x, y, *, k, keepdim=False, dim=-1):
    """Geodesic distance between x and y."""
    return _gyre("dist", [x, y], [], k, dim, keepdim=keepdim)


def dist2(x, y, *, k, keepdim=False, dim=-1):
    """Squared geodesic distance between x and y."""
    return _gyre("dist2", [x, y], [], k, dim, keepdim=keepdim)


def dist0(x, *, k, keepdim=False, dim=-1):
    """Geodesic distance from x to the origin."""
    return _gyre("dist0", [x], [], k, dim, keepdim=keepdim)


def geodesic(t, x, y, *, k, dim=-1):
    """Point at t on the geodesic from x (t = 0) to y (t = 1)."""
    return _gyre("geodesic", [x, y], [], k, dim, [torch.as_tensor(t, device=x.device)])


def expmap(x, u, *, k, dim=-1):
    """Exponential map of u at x."""
    return _gyre("exp", [x], [u], k, dim)


def expmap0(u, *, k, dim=-1):
    """Exponential map of u at the origin."""
    return _gyre("exp0", [], [u], k, dim)


def geodesic_unit(t, x, u, *, k, dim=-1):
    """Point at distance t from x in the direction u."""
    step = t / 2 * u / u.norm(dim=dim, keepdim=True).clamp_min(_TINY)
    return mobius_add(x, expmap0(step, k=k, dim=dim), k=k, dim=dim)


def logmap(x, y, *, k, dim=-1):
    """Logarithmic map of y at x."""
    return _gyre("log", [x, y], [], k, dim)


def logmap0(y, *, k, dim=-1):
    """Logarithmic map of y at the origin."""
    return _gyre("log0", [y], [], k, dim)


def mobius_matvec(m, x, *, k, dim=-1):
    """Möbius matrix-vector multiplication exp0(m log0(x))."""
    if m.dim() > 2 and dim != -1:
        raise RuntimeError(f"expected dim = -1 for a batch of matrices {tuple(m.shape)}, got {dim}")
    u = logmap0(x, k=k, dim=dim).movedim(dim, -1)
    u = u @ m.mT if m.dim() == 2 else (m @ u.unsqueeze(-1)).squeeze(-1)
    return expmap0(u.movedim(-1, dim), k=k, dim=dim)


def mobius_pointwise_mul(w, x, *, k, dim=-1):
    """Möbius pointwise multiplication exp0(w log0(x)), w diagonal."""
    return expmap0(w * logmap0(x, k=k, dim=dim), k=k, dim=dim)


def mobius_fn_apply_chain(x, *fns, k, dim=-1):
    """exp0 of functions applied one after the other to log0(x)."""
    if not fns:
        return x
    return expmap0(functools.reduce(lambda u, fn: fn(u), fns, logmap0(x, k=k, dim=dim)), k=k, dim=dim)


def mobius_fn_apply(fn, x, *args, k, dim=-1, **kwargs):
    """exp0(fn(log0(x), ...))."""
    return expmap0(fn(logmap0(x, k=k, dim=dim), *args, **kwargs), k=k, dim=dim)


def mobiusify(fn):
    """Decorator: the Möbius version of a function of vectors, with arguments k and dim."""
    @functools.wraps(fn)
    def mobius_fn(x, *args, k, dim=-1, **kwargs):
        return mobius_fn_apply(fn, x, *args, k=k, dim=dim, **kwargs)

    return mobius_fn


def dist2plane(x, p, a, *, k, keepdim=False, signed=False, scaled=False, dim=-1):
    """Distance of x to the geodesic hyperplane through p with normal a; signed: positive on the side of a; scaled:
    times the norm of a."""
    difference = mobius_add(-p, x, k=k, dim=dim)
    along = (difference * a).sum(dim=dim, keepdim=True)
    size = a.norm(dim=dim, keepdim=True)
    square = difference.square().sum(dim=dim, keepdim=True)
    distance = arsin_k(2 * (along if signed else along.abs()) / clamp_abs((1 + k * square) * size), k)
    if scaled:
        distance = distance * size
    return distance if keepdim else distance.squeeze(dim)


def parallel_transport(x, y, v, *, k, dim=-1):
    """Parallel transport of v from x to y."""
    return _gyre("transport", [x, y], [v], k, dim)


def parallel_transport0(y, v, *, k, dim=-1):
    """Parallel transport of v from the origin to y."""
    return _gyre("transport0", [y], [v], k, dim)


def parallel_transport0back(x, v, *, k, dim=-1):
    """Parallel transport of v from x to the origin."""
    return v * (lambda_x(x, k=k, keepdim=True, dim=dim) / 2)


def egrad2rgrad(x, grad, *, k, dim=-1):
    """Riemannian gradient at x from the Euclidean gradient."""
    return _gyre("egrad2rgrad", [x], [grad], k, dim)


def _radius(k):
    return torch.as_tensor(k).abs().clamp_min(_TINY).rsqrt()


def sproj(x, *, k, dim=-1):
    """Stereographic projection of the sphere or hyperboloid, whose axis is the last coordinate."""
    height = x.narrow(dim, -1, 1)
    return x.narrow(dim, 0, x.size(dim) - 1) / (1 + height / _radius(k))


def inv_sproj(x, *, k, dim=-1):
    """Inverse of the stereographic projection: a point of the sphere or hyperboloid."""
    factor = lambda_x(x, k=k, keepdim=True, dim=dim)
    return torch.cat((factor * x, _radius(k) * (factor - 1)), dim=dim)


def antipode(x, *, k, dim=-1):
    """Antipode -x / (k |x|^2) of x on the sphere; -x for k <= 0. 0 for x = 0, whose antipode is at infinity."""
    k = torch.as_tensor(k)
    square = (k * x.square().sum(dim=dim, keepdim=True)).clamp_min(_TINY)
    return torch.where(k > 0, -x / torch.where(k > 0, square, 1), -x)


def weighted_midpoint(xs, weights=None, *, k, reducedim=None, dim=-1, keepdim=False, lincomb=False, posweight=False):
    """Weighted gyromidpoint of points over the dimensions reducedim (all except dim). lincomb: times the sum of the
    weights; posweight: a negative weight becomes a positive one of the antipode."""
    dim %= xs.dim()
    over = [d for d in range(xs.dim()) if d != dim] if reducedim is None else [d % xs.dim() for d in reducedim]
    weights = xs.new_ones(()) if weights is None else weights.unsqueeze(dim)
    if posweight:
        xs = torch.where(weights < 0, antipode(xs, k=k, dim=dim), xs)
        weights = weights.abs()
    factor = lambda_x(xs, k=k, dim=dim, keepdim=True)
    total = ((factor - 1) * weights).sum(over, keepdim=True)
    twice = (factor * weights * xs).sum(over, keepdim=True) / clamp_abs(total, 1e-10)
    middle = mobius_scalar_mul(0.5, twice, k=k, dim=dim)
    if (torch.as_tensor(k) > 0).any():
        opposite = antipode(middle, k=k, dim=dim)
        near, far = (dist(m, xs, k=k, keepdim=True, dim=dim).sum(over, keepdim=True) for m in (middle, opposite))
        middle = torch.where((torch.as_tensor(k) > 0) & (far < near), opposite, middle)
    if lincomb:
        middle = mobius_scalar_mul(weights.expand_as(factor).sum(over, keepdim=True), middle, k=k, dim=dim)
    return middle if keepdim else middle.squeeze(over)
