# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Manifold:
    """A space whose points are rows. Methods are differentiable in every tensor, curvature included."""
    @property
    def c(self) -> Any: ...
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
def ManifoldParameter(data: Any, manifold: Any) -> Any:
    """A gyre.nn.Parameter whose rows are points of a manifold, over the memory of a gyre.Tensor that
    lies in one piece. Riemannian optimisers step it along the manifold, others refuse it. ValueError
    where rows are no points.
    """
class Product(Manifold):
    """Product((manifold, dim), ...): a row is the points of the parts, one after the other."""
    def __init__(self, *parts: Any) -> None: ...
    @property
    def c(self) -> Any: ...
    @property
    def parts(self) -> Any: ...
def TangentParameter(data: Any, manifold: Any) -> Any:
    """A parameter z in the tangent space of the origin, to be trained by any optimiser:
    manifold.exp0(z) are the points, at first `data`. Nothing bounds z.
    """
def manifold_of(parameter: Any) -> Any:
    """The manifold of a ManifoldParameter; None for any other tensor."""
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
class Curvature:
    """a learned c above 0: softplus(k), or c_min + (c_max - c_min) sigmoid(k); of no inputs"""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self, c: float = 1.0, c_min: float = 0.0, c_max: float = 0.0, rows: int = 0) -> None: ...
    def forward(self, *args: Any, **kwargs: Any) -> Any: ...
    def named_parameters(self) -> list[Any]:
        """(name, Parameter) of all that is trained, here and in modules inside; one that has several names
        comes once, under the first.
        """
    def named_buffers(self) -> list[Any]:
        """(name, tensor) of all that belongs to the state and is not trained."""
    def parameters(self) -> list[Any]:
        """All that is trained, each tensor once."""
    def parameter_count(self) -> int:
        """Numbers in all parameters."""
    def state_dict(self) -> dict[Any, Any]:
        """Parameters and buffers by name, which share the module's memory; a tensor with several names is
        there once, under the first.
        """
    def load_state_dict(self, state: object, strict: bool = True) -> tuple[Any, ...]:
        """Copies values by name into the module's tensors, in their dtypes. ValueError for names that are
        missing or unknown, ShapeError where only shapes differ; then nothing has changed. With strict=False
        tensors that are missing stay. Gives the lists of names that are missing and unknown.
        """
    def zero_grad(self) -> None:
        """Drops the gradients of all parameters."""
    def requires_grad_(self, requires_grad: bool = True) -> object:
        """Whether parameters want gradients. Gives the module itself."""
    def to(self, dtype: object) -> object:
        """Casts floating parameters, and floating buffers, but these to no less than f32. Optimisers made
        before hold the old tensors. Gives the module itself.
        """
    @property
    def training(self) -> Any: ...
    @training.setter
    def training(self, value: Any) -> None: ...
    def register_buffer(self, name: Any, tensor: Any) -> Any:
        """A tensor (or None) that belongs to the state and is not trained; its memory is shared."""
    def register_parameter(self, name: Any, parameter: Any) -> Any:
        """As setting the attribute; None stands for one that is absent."""
    def add_module(self, name: Any, module: Any) -> Any:
        """As setting the attribute, for names that are no attributes' ("0")."""
    def named_children(self) -> Any:
        """(name, module) of the modules directly inside."""
    def children(self) -> Any:
        """The modules directly inside."""
    def named_modules(self, prefix: Any = '', _seen: Any = None) -> Any:
        """(name, module) of this, called `prefix`, and all inside, each once."""
    def modules(self) -> Any:
        """This and all modules inside, each once."""
    def get_submodule(self, path: Any) -> Any:
        """The module of that name, as named_modules gives it."""
    def apply(self, function: Any) -> Any:
        """Calls function(module) for all modules inside, then for this. Gives the module itself."""
    def train(self, mode: Any = True) -> Any:
        """Sets `training`, which layers such as dropout go by, here and in all modules inside. Gives the
        module itself.
        """
    def eval(self) -> Any:
        """train(False)."""
    def extra_repr(self) -> Any:
        """What stands in brackets behind the class; a subclass may say more."""
    @property
    def options(self) -> Any: ...
    def __getattr__(self, name: Any) -> Any: ...
