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
    """a learned c above 0: softplus(k), or c_min + (c_max - c_min) sigmoid(k); of no inputs"""
    def __init__(self, c: float = 1.0, c_min: float = 0.0, c_max: float = 0.0, rows: int = 0) -> None: ...
    def forward(self, *inputs: Any) -> Any:
        """The module's results; inputs in its order, None for one that is absent."""
    def train(self, mode: Any = True) -> Any:
        """Set the module in training mode."""
    def extra_repr(self) -> Any:
        """Return the extra representation of the module."""
    def __getattr__(self, name: str, /) -> Any: ...
class Manifold:
    """A space whose points are rows. Methods are differentiable in every tensor, curvature included."""
    def has(self, method: Any) -> Any:
        """Whether it has the method of that name."""
    def require_points(self, x: Any) -> Any:
        """A ValueError that says why where rows of x are no points of this space."""
    def add(self, x: Any, y: Any) -> Any:
        """x + y of the gyrovector space"""
    def sub(self, x: Any, y: Any) -> Any:
        """x + (-y) of the gyrovector space"""
    def scalar(self, r: Any, x: Any) -> Any:
        """the point at r times x's distance from the origin; r is one number a row"""
    def gyration(self, x: Any, y: Any, v: Any) -> Any:
        """gyr[x, y] v = -(x + y) + (x + (y + v))"""
    def exp(self, x: Any, v: Any) -> Any:
        """where the geodesic from x in the direction v is at time 1"""
    def log(self, x: Any, y: Any) -> Any:
        """the tangent vector at x that leads to y: the inverse of exp"""
    def exp0(self, v: Any) -> Any:
        """exp from the origin"""
    def log0(self, x: Any) -> Any:
        """log from the origin"""
    def transport(self, x: Any, y: Any, v: Any) -> Any:
        """the tangent vector v at x carried along the geodesic to y"""
    def transport0(self, y: Any, v: Any) -> Any:
        """the tangent vector v at the origin carried to y"""
    def geodesic(self, x: Any, y: Any, t: Any) -> Any:
        """the point at t on the geodesic from x (0) to y (1); t is one number a row"""
    def layer(self, u: Any, v: Any, t: Any) -> Any:
        """geodesic, by the name of the op of older callers"""
    def egrad2rgrad(self, x: Any, g: Any) -> Any:
        """the gradient in the metric at x for the gradient g by coordinates"""
    def project(self, x: Any) -> Any:
        """x, or where rounding has put it outside, a point of the space beside it"""
    def lambda_(self, x: Any) -> Any:
        """the conformal factor of the metric at x"""
    def dist(self, x: Any, y: Any) -> Any:
        """the distance of x and y"""
    def dist0(self, x: Any) -> Any:
        """the distance of x from the origin"""
    def dist2(self, x: Any, y: Any) -> Any:
        """the distance of x and y, squared: smooth at x = y"""
    def cdist(self, x: Any, y: Any) -> Any:
        """distances of all pairs of x [..., n, d] and y [..., m, d]: [..., n, m]"""
    def inner(self, x: Any, u: Any, v: Any) -> Any:
        """<u, v> in the metric at x"""
    def norm(self, x: Any, v: Any) -> Any:
        """|v| in the metric at x"""
    def midpoint(self, x: Any, weights: Any) -> Any:
        """the midpoint of points x [..., n, d] by weights [..., n]"""
    def frechet_mean(self, x: Any, weights: Any) -> Any:
        """the point of the least sum of weights [..., n] times squared distances to points x [..., n, d]"""
    def matvec(self, m: Any, x: Any) -> Any:
        """exp0(m log0(x)) for a matrix m [m, d]"""
    def pointwise(self, x: Any, f: Any = 'relu') -> Any:
        """exp0(f(log0(x))), f of each coordinate"""
    def to_poincare(self, x: Any) -> Any:
        """x in the Poincare ball of the same curvature: an isometry"""
    def to_lorentz(self, x: Any) -> Any:
        """x on the hyperboloid of the same curvature: an isometry"""
    def to_klein(self, x: Any) -> Any:
        """x in the Klein ball of the same curvature: an isometry"""
class ManifoldParameter:
    """A torch.nn.Parameter whose rows are points of its `manifold`. gyre.torch.optim's Riemannian
    optimisers step it along the manifold. ValueError where rows are no points.
    """
    def __getattr__(self, name: str, /) -> Any: ...
class Product(Manifold):
    """Product((manifold, dim), ...): a row is the points of the parts, one after the other."""
    def __init__(self, *parts: Any) -> None: ...
class TangentParameter:
    """Points that any optimiser trains: forward() gives manifold.exp0(z) for a parameter z without
    bounds; at first the points are `data`.
    """
    def __init__(self, data: Any, manifold: Any) -> None: ...
    def forward(self) -> Any:
        """Define the computation performed at every call."""
    def __getattr__(self, name: str, /) -> Any: ...
class PoincareBall(Manifold):
    """Points with c|x|^2 < 1 in a space of curvature -c; for c = 0 the plane, for c < 0 the sphere in
    stereographic projection.
    """
    def __init__(self, c: Any = 1.0) -> None: ...
class Lorentz(Manifold):
    """Points of the hyperboloid of curvature -c by their space coordinates, c > 0."""
    def __init__(self, c: Any = 1.0) -> None: ...
class Klein(Manifold):
    """Points with c|x|^2 < 1, whose geodesics are straight; curvature -c, c > 0."""
    def __init__(self, c: Any = 1.0) -> None: ...
class Euclidean(Manifold):
    """R^d."""
    def __init__(self) -> None: ...
class Sphere(Manifold):
    """Rows of length 1; tangent vectors are at right angles to them."""
    def __init__(self) -> None: ...
