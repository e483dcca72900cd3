"""gyre.hyperbolic for PyTorch's tensors: the same manifolds, recorded by PyTorch's autograd.

    ball = gyre.torch.hyperbolic.PoincareBall(c=torch.tensor(1.0, requires_grad=True))
    points = gyre.torch.hyperbolic.ManifoldParameter(ball.exp0(0.1 * torch.randn(100, 5)), ball)
    optimizer = gyre.torch.optim.RiemannianAdam([points], lr=0.1)

A curvature that is a torch.Tensor gets a gradient too. PyTorch's own optimisers do not know manifolds and move
a ManifoldParameter off its manifold.
"""

import copy

import torch

import gyre
import gyre.hyperbolic
from gyre import _manifold_methods
from gyre._gyre import _hyperbolic, _torch
from gyre.torch import _autograd

__all__ = ["Curvature", "Manifold", "ManifoldParameter", "Product", "TangentParameter"]


def _gyre(x):
    return gyre.from_torch(x.detach()) if isinstance(x, torch.Tensor) else x


class Manifold(_manifold_methods.GeooptMethods):
    """Base class of manifolds, whose points are rows. Methods are differentiable in all tensors, including the
    curvature."""

    _curvatures = ()
    c = None  # the curvature is -c

    @property
    def _own(self):
        """The gyre.hyperbolic manifold over the current memory of the curvatures, which copies and casts
        move."""
        return gyre.hyperbolic._held(self._core(map(_gyre, self._curvatures)))

    def has(self, method):
        """Whether the manifold has the method."""
        return self._own.has(method)

    def require_points(self, x):
        """Checks that the rows of x are points of the manifold; ValueError with the reason if not."""
        self._own.require_points(_gyre(x))

    def _core(self, curvatures):
        """The C++ manifold for curvatures that PyTorch may be transforming; they were validated before."""
        raise NotImplementedError

    def _cat(self, vectors):
        return torch.cat(vectors, -1)

    def _vector(self, x):
        return torch.as_tensor(x)

    def _randn(self, shape, dtype):
        return torch.randn(shape, dtype=dtype)

    @torch.compiler.disable
    def _call(self, number, args, options):
        def body(*tensors):
            return (self._core(iter(tensors[len(args):])).call(number, tensors[:len(args)], options),)

        call = _torch.Call.of(body, 0)  # draws no random numbers
        transforms = any(active() for active in _autograd.TRANSFORMS)
        run = _autograd.transform if transforms else _autograd.apply
        return run(call, (*args, *self._curvatures))[0]

    def __repr__(self):
        return repr(self._own)


class Product(Manifold):
    """Product manifold: Product((manifold, dim), ...). A point is the concatenation of the factors' points."""

    def __init__(self, *parts):
        self.parts = tuple(parts)
        self._curvatures = tuple(c for m, _ in parts for c in m._curvatures)
        self._core(map(_gyre, self._curvatures))  # validates the factors

    def _core(self, curvatures):
        return _hyperbolic.product([m._core(curvatures) for m, _ in self.parts], [dim for _, dim in self.parts])


def _class_of(kind):
    def curved(self, c=1.0, learnable=False):
        if learnable:
            c = torch.nn.Parameter(torch.as_tensor(c, dtype=getattr(c, "dtype", torch.get_default_dtype())).detach())
        _hyperbolic.make(kind["name"], _gyre(c))  # validates the curvature
        self.c = c
        self._curvatures = (c,)

    def plain(self):
        pass

    def core(self, curvatures):
        return _hyperbolic.make(kind["name"], next(curvatures) if kind["curved"] else None, False)

    init = curved if kind["curved"] else plain
    init.__name__, init.__qualname__ = "__init__", f"{kind['name']}.__init__"
    return type(kind["name"], (Manifold,), {
        "__init__": init, "_core": core, "__doc__": kind["doc"], "__module__": __name__})


gyre.hyperbolic.add_methods(Manifold)
for _kind in _hyperbolic.kinds:
    globals()[_kind["name"]] = _class_of(_kind)
    __all__.append(_kind["name"])


class ManifoldParameter(torch.nn.Parameter):
    """A torch.nn.Parameter whose rows are points of its `manifold`. The Riemannian optimisers of
    gyre.torch.optim update it along the manifold. ValueError if rows are not points."""

    def __new__(cls, data, manifold, requires_grad=True):
        manifold.require_points(data)
        parameter = super().__new__(cls, data, requires_grad)
        parameter.manifold = manifold
        return parameter

    def __deepcopy__(self, memo):
        return type(self)(self.detach().clone(), copy.deepcopy(self.manifold, memo), self.requires_grad)

    def __reduce_ex__(self, protocol):
        return type(self), (self.detach().clone(), self.manifold, self.requires_grad)

    def __repr__(self):
        return f"{super().__repr__()} of {self.manifold!r}"


class TangentParameter(torch.nn.Module):
    """Points parametrised by z in the tangent space at the origin, for any optimiser: forward() returns
    manifold.exp0(z), initially `data`. z is unconstrained."""

    def __init__(self, data, manifold):
        super().__init__()
        manifold.require_points(data)
        self.manifold = manifold
        self.z = torch.nn.Parameter(manifold.log0(data).detach())

    def forward(self):
        return self.manifold.exp0(self.z)


from gyre.torch.nn import Curvature  # noqa: E402, F401
