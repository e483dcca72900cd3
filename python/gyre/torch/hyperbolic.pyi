# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Curvature:
    """learnable c > 0: softplus(k), or c_min + (c_max - c_min) sigmoid(k); takes no inputs"""
    def __init__(self, c: float = 1.0, c_min: float = 0.0, c_max: float = 0.0, rows: int = 0, *, device: Any = None, dtype: Any = None) -> None: ...
    def forward(self, *inputs: Any) -> Any:
        """The module's results; inputs in order, None for an absent one."""
    def train(self, mode: Any = True) -> Any:
        """Set the module in training mode."""
    def extra_repr(self) -> Any:
        """Return the extra representation of the module."""
    def __getattr__(self, name: str, /) -> Any: ...
class Manifold:
    """Base class of manifolds, whose points are rows. Methods are differentiable in all tensors,
    including the curvature.
    """
    @property
    def k(self) -> Any: ...
    def parameters(self) -> Any:
        """The learned curvatures."""
    def proju(self, x: Any, u: Any, *, dim: Any = -1) -> Any:
        """Projection of u onto the tangent space at x."""
    def retr(self, x: Any, u: Any, *, dim: Any = -1) -> Any:
        """Retraction: x + u, projected onto the manifold."""
    def expmap_transp(self, x: Any, u: Any, v: Any, *, dim: Any = -1) -> Any:
        """exp(x, u) and v transported there from x."""
    def retr_transp(self, x: Any, u: Any, v: Any, *, dim: Any = -1) -> Any:
        """retr(x, u) and v transported there from x."""
    def transp_follow_expmap(self, x: Any, u: Any, v: Any, *, dim: Any = -1) -> Any:
        """v transported from x to exp(x, u)."""
    def transp_follow_retr(self, x: Any, u: Any, v: Any, *, dim: Any = -1) -> Any:
        """v transported from x to retr(x, u)."""
    def transp0back(self, y: Any, u: Any, *, dim: Any = -1) -> Any:
        """Parallel transport of u from y to the origin."""
    def mobius_scalar_mul(self, r: Any, x: Any, *, dim: Any = -1) -> Any:
        """Möbius scalar multiplication r ⊗ x; r is a number, or has size 1 along dim."""
    def mobius_coadd(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """Möbius coaddition x ⊕ gyr[x, -y] y, which is commutative."""
    def mobius_cosub(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """Möbius coaddition of x and -y."""
    def mobius_pointwise_mul(self, w: Any, x: Any, *, dim: Any = -1) -> Any:
        """Möbius multiplication with a diagonal matrix w."""
    def mobius_fn_apply(self, fn: Any, x: Any, *args: Any, dim: Any = -1, **kwargs: Any) -> Any:
        """fn applied in the tangent space at the origin."""
    def mobius_fn_apply_chain(self, x: Any, *fns: Any, dim: Any = -1) -> Any:
        """Functions applied one after the other in the tangent space at the origin."""
    def geodesic_unit(self, t: Any, x: Any, u: Any, *, dim: Any = -1) -> Any:
        """Point at distance t from x in the direction u."""
    def dist2plane(self, x: Any, p: Any, a: Any, *, dim: Any = -1, keepdim: Any = False, signed: Any = False, scaled: Any = False) -> Any:
        """Distance of x to the geodesic hyperplane through p with normal a; signed: positive on the side of
        a; scaled: times the norm of a.
        """
    def random_normal(self, *size: Any, mean: Any = 0, std: Any = 1, dtype: Any = None) -> Any:
        """exp0 of a normal tangent vector at the origin, of variance std^2 / d per coordinate and given
        mean; on the sphere a uniformly distributed point.
        """
    def random(self, *size: Any, mean: Any = 0, std: Any = 1, dtype: Any = None) -> Any:
        """exp0 of a normal tangent vector at the origin, of variance std^2 / d per coordinate and given
        mean; on the sphere a uniformly distributed point.
        """
    def wrapped_normal(self, *size: Any, mean: Any, std: Any = 1, dtype: Any = None) -> Any:
        """Wrapped normal distribution around mean."""
    def origin(self, *size: Any, dtype: Any = None) -> Any:
        """The origin repeated to the given shape."""
    def has(self, method: Any) -> Any:
        """Whether the manifold has the method."""
    def require_points(self, x: Any) -> Any:
        """Checks that the rows of x are points of the manifold; ValueError with the reason if not."""
    def add(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """gyrovector (Möbius) addition x ⊕ y"""
    def sub(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """gyrovector (Möbius) subtraction x ⊕ (-y)"""
    def scalar(self, r: Any, x: Any, *, dim: Any = -1) -> Any:
        """gyrovector (Möbius) scalar multiplication r ⊗ x; r is one number per row"""
    def gyration(self, x: Any, y: Any, v: Any, *, dim: Any = -1) -> Any:
        """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
    def exp(self, x: Any, v: Any, *, dim: Any = -1) -> Any:
        """exponential map of v at x"""
    def log(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """logarithmic map of y at x, the inverse of exp"""
    def exp0(self, v: Any, *, dim: Any = -1) -> Any:
        """exponential map of v at the origin"""
    def log0(self, x: Any, *, dim: Any = -1) -> Any:
        """logarithmic map of x at the origin"""
    def transport(self, x: Any, y: Any, v: Any, *, dim: Any = -1) -> Any:
        """parallel transport of v from x to y"""
    def transport0(self, y: Any, v: Any, *, dim: Any = -1) -> Any:
        """parallel transport of v from the origin to y"""
    def geodesic(self, x: Any, y: Any, t: Any, *, dim: Any = -1) -> Any:
        """point at t on the geodesic from x (t = 0) to y (t = 1); t is one number per row"""
    def layer(self, u: Any, v: Any, t: Any) -> Any:
        """alias of geodesic"""
    def egrad2rgrad(self, x: Any, g: Any, *, dim: Any = -1) -> Any:
        """Riemannian gradient at x from the Euclidean gradient g"""
    def project(self, x: Any, *, dim: Any = -1) -> Any:
        """project x onto the manifold"""
    def lambda_(self, x: Any, *, keepdim: Any = False, dim: Any = -1) -> Any:
        """conformal factor of the metric at x"""
    def dist(self, x: Any, y: Any, *, keepdim: Any = False, dim: Any = -1) -> Any:
        """geodesic distance between x and y"""
    def dist0(self, x: Any, *, keepdim: Any = False, dim: Any = -1) -> Any:
        """geodesic distance from x to the origin"""
    def dist2(self, x: Any, y: Any, *, keepdim: Any = False, dim: Any = -1) -> Any:
        """squared geodesic distance, smooth at x = y"""
    def cdist(self, x: Any, y: Any) -> Any:
        """pairwise distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
    def inner(self, x: Any, u: Any, v: Any = None, *, keepdim: Any = False, dim: Any = -1) -> Any:
        """inner product <u, v> of tangent vectors at x"""
    def norm(self, x: Any, v: Any, *, keepdim: Any = False, dim: Any = -1) -> Any:
        """norm |v| of a tangent vector at x"""
    def midpoint(self, x: Any, weights: Any) -> Any:
        """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]"""
    def frechet_mean(self, x: Any, weights: Any) -> Any:
        """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
    def matvec(self, m: Any, x: Any, *, dim: Any = -1) -> Any:
        """matrix-vector multiplication exp0(m log0(x)), matrix m [out, d]"""
    def pointwise(self, x: Any, f: Any = 'relu') -> Any:
        """exp0(f(log0(x))): f in the tangent space at the origin, any function or the name of one"""
    def to_poincare(self, x: Any, *, dim: Any = -1) -> Any:
        """isometry to the Poincaré ball of the same curvature"""
    def to_lorentz(self, x: Any, *, dim: Any = -1) -> Any:
        """isometry to the hyperboloid of the same curvature"""
    def to_klein(self, x: Any, *, dim: Any = -1) -> Any:
        """isometry to the Klein ball of the same curvature"""
    def expmap(self, x: Any, u: Any, *, dim: Any = -1) -> Any:
        """exponential map of v at x"""
    def expmap0(self, u: Any, *, dim: Any = -1) -> Any:
        """exponential map of v at the origin"""
    def logmap(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """logarithmic map of y at x, the inverse of exp"""
    def logmap0(self, x: Any, *, dim: Any = -1) -> Any:
        """logarithmic map of x at the origin"""
    def transp(self, x: Any, y: Any, v: Any, *, dim: Any = -1) -> Any:
        """parallel transport of v from x to y"""
    def transp0(self, y: Any, u: Any, *, dim: Any = -1) -> Any:
        """parallel transport of v from the origin to y"""
    def projx(self, x: Any, *, dim: Any = -1) -> Any:
        """project x onto the manifold"""
    def mobius_add(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """gyrovector (Möbius) addition x ⊕ y"""
    def mobius_sub(self, x: Any, y: Any, *, dim: Any = -1) -> Any:
        """gyrovector (Möbius) subtraction x ⊕ (-y)"""
    def mobius_matvec(self, m: Any, x: Any, *, dim: Any = -1) -> Any:
        """matrix-vector multiplication exp0(m log0(x)), matrix m [out, d]"""
    def lambda_x(self, x: Any, *, keepdim: Any = False, dim: Any = -1) -> Any:
        """conformal factor of the metric at x"""
    def __getattr__(self, name: str, /) -> Any: ...
class ManifoldParameter:
    """A torch.nn.Parameter whose rows are points of its `manifold`. The Riemannian optimisers of
    gyre.torch.optim update it along the manifold. ValueError if rows are not points.
    """
    def __getattr__(self, name: str, /) -> Any: ...
class Product(Manifold):
    """Product manifold: Product((manifold, dim), ...). A point is the concatenation of the factors'
    points.
    """
    def __init__(self, *parts: Any) -> None: ...
class TangentParameter:
    """Points parametrised by z in the tangent space at the origin, for any optimiser: forward() returns
    manifold.exp0(z), initially `data`. z is unconstrained.
    """
    def __init__(self, data: Any, manifold: Any) -> None: ...
    def forward(self) -> Any:
        """Define the computation performed at every call."""
    def __getattr__(self, name: str, /) -> Any: ...
class PoincareBall(Manifold):
    """Poincaré ball: points with c|x|^2 < 1, curvature -c; c = 0 is Euclidean space, c < 0 the sphere
    in stereographic projection.
    """
    def __init__(self, c: Any = 1.0, learnable: Any = False) -> None: ...
class Lorentz(Manifold):
    """Hyperboloid (Lorentz model) of curvature -c, c > 0: points in space coordinates."""
    def __init__(self, c: Any = 1.0, learnable: Any = False) -> None: ...
class Klein(Manifold):
    """Klein ball: points with c|x|^2 < 1, geodesics are straight; curvature -c, c > 0."""
    def __init__(self, c: Any = 1.0, learnable: Any = False) -> None: ...
class Euclidean(Manifold):
    """Euclidean space R^d."""
    def __init__(self) -> None: ...
class Sphere(Manifold):
    """Unit sphere: points are rows of norm 1, tangent vectors are orthogonal to them."""
    def __init__(self) -> None: ...
