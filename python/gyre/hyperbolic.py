"""Hyperbolic and other manifolds, manifold parameters and learned curvature.

    ball = gyre.hyperbolic.PoincareBall(c=1.0)
    points = gyre.hyperbolic.ManifoldParameter(ball.exp0(gyre.randn(100, 5) * 0.1), ball)
    optimizer = gyre.optim.RiemannianAdam([points], lr=0.1)
    ball.dist(points[:50], points[50:]).sum().backward()
    optimizer.step()

Points and tangent vectors are rows [..., d]. `help(gyre.hyperbolic.Manifold)` lists all methods; those that a manifold lacks raise ValueError.
"""

import functools
import inspect

from gyre import _manifold_methods
from gyre._gyre import Tensor, _hyperbolic, cat, randn, tensor
from gyre._options import Options, public_name
from gyre.nn import Parameter
from gyre.nn import classes as _layers

__all__ = ["Manifold", "ManifoldParameter", "Product", "TangentParameter", "manifold_of"]


class Manifold(_manifold_methods.GeooptMethods):
    """Base class of manifolds, whose points are rows. Methods are differentiable in all tensors, including the
    curvature."""

    _made = None  # the C++ object
    _curvature = None  # the tensor c, if it was given as one

    @property
    def _core(self):
        made, c = self._made, self._curvature
        if c is None or made.is_of(c):
            return made
        # Module.to or functional_call replaced the tensor
        now = _hyperbolic.make(made.name, c, checked=False)
        if now.lasts:
            self._made = now
        return now

    @property
    def c(self):
        """The curvature is -c; None for a manifold without a curvature parameter."""
        return self._made.c if self._curvature is None else self._curvature

    def has(self, method):
        """Whether the manifold has the method."""
        return self._core.has(_numbers[method])

    def require_points(self, x):
        """Checks that the rows of x are points of the manifold; ValueError with the reason if not."""
        self._core.require_points(x, "require_points")

    def _call(self, number, args, options):
        return self._core.call(number, args, options)

    def _cat(self, vectors):
        return cat(vectors, axis=-1)

    def _vector(self, x):
        return x if isinstance(x, Tensor) else tensor(x)

    def _randn(self, shape, dtype):
        return randn(*shape, **({} if dtype is None else {"dtype": dtype}))

    def __repr__(self):
        return self._core.text

    def __reduce__(self):
        return type(self), () if self.c is None else (self.c,)


def _checked(manifold):
    if not isinstance(manifold, Manifold):
        raise TypeError(f"expected a manifold, got {type(manifold).__name__}")
    return manifold


class Product(Manifold):
    """Product manifold: Product((manifold, dim), ...). A point is the concatenation of the factors' points."""

    def __init__(self, *parts):
        self._parts = tuple(parts)
        self._made = (), None  # the C++ objects of the factors and of the product
        self._core  # validates the factors

    @property
    def _core(self):
        parts, made = self._made
        now = self._cores()
        if _same(now, parts):
            return made
        made = _hyperbolic.product(now, [dim for _, dim in self._parts])
        if _same(now, self._cores()):  # all of them can be kept
            self._made = now, made
        return made

    def _cores(self):
        return [_checked(manifold)._core for manifold, _ in self._parts]

    @property
    def c(self):
        """None: the factors have the curvatures."""

    @property
    def parts(self):
        """(manifold, dim) of each factor."""
        return self._parts

    def __reduce__(self):
        return type(self), self._parts


def _same(cores, others):
    return len(cores) == len(others) > 0 and all(a is b for a, b in zip(cores, others))


_numbers = {public_name(method["name"]): number for number, method in enumerate(_hyperbolic.methods)}


def add_methods(cls):
    """Adds the methods of the table to a class; each is cls._call(its number, tensors, options). geoopt's names of them
    as well."""
    for number, method in enumerate(_hyperbolic.methods):
        setattr(cls, public_name(method["name"]), _method_of(cls, number, method))
    for name, (ours, arguments) in _manifold_methods.NAMES.items():
        method = {**_hyperbolic.methods[_numbers[ours]], "args": arguments.split()}
        setattr(cls, name, _method_of(cls, _numbers[ours], method, name))
    return cls


def _method_of(cls, number, method, name=None):
    kinds, ours = inspect.Parameter, public_name(method["name"])
    options = Options(method["name"], method["options"])
    tensors = [kinds(name, kinds.POSITIONAL_OR_KEYWORD) for name in ("self", *method["args"])]
    if ours == "inner":
        tensors[-1] = tensors[-1].replace(default=None)  # u
    signature = inspect.Signature([*tensors, *options.parameters(), *_manifold_methods.keywords(ours)])
    count = len(method["args"])
    ordered = _manifold_methods.ORDERED.get(ours)
    spellings = dict(zip(_manifold_methods.ARGUMENTS.get(ours, "").split(), method["args"]))

    def rows(self, *args):
        if not options.fields:
            return self._call(number, args, {})
        if len(args) == count + 1 and callable(f := args[count]):  # of pointwise
            return self.exp0(f(self.log0(args[0])))
        return self._call(number, args[:count], options.bind(args[count:], {}))

    def call(self, *args, **kwargs):
        if kwargs:
            bound = signature.bind(self, *args, **{spellings.get(key, key): value for key, value in kwargs.items()})
            bound.apply_defaults()
            args = bound.args[1:]
        args = args if ordered is None else ordered(args)
        if kwargs and bound.kwargs:
            return _manifold_methods.along_dim(ours, functools.partial(rows, self), self, args, **bound.kwargs)
        return rows(self, *args)

    call.__name__, call.__doc__, call.__signature__ = name or ours, method["doc"], signature
    call.__qualname__ = f"{cls.__name__}.{call.__name__}"
    return call


def _class_of(kind):
    def curved(self, c=1.0, learnable=False):
        if learnable:
            c = Parameter(c.detach() if isinstance(c, Tensor) else tensor(float(c)))
        self._made = _hyperbolic.make(kind["name"], c)
        self._curvature = c if isinstance(c, Tensor) else None

    def plain(self):
        self._made = _hyperbolic.make(kind["name"], None)

    init = curved if kind["curved"] else plain
    init.__name__, init.__qualname__ = "__init__", f"{kind['name']}.__init__"
    return type(kind["name"], (Manifold,), {"__init__": init, "__doc__": kind["doc"], "__module__": __name__})


add_methods(Manifold)
for _kind in _hyperbolic.kinds:
    globals()[_kind["name"]] = _class_of(_kind)
    __all__.append(_kind["name"])


def _held(core):
    """The manifold of a C++ object."""
    if core.parts:
        return Product(*((_held(part), dim) for part, dim in core.parts))
    manifold = object.__new__(globals()[core.name])
    manifold._made, manifold._curvature = core, core.c
    return manifold


def ManifoldParameter(data, manifold):
    """A gyre.nn.Parameter whose rows are points of a manifold, sharing the memory of a contiguous gyre.Tensor.
    Riemannian optimisers update it along the manifold; other optimisers refuse it. ValueError if rows are not
    points."""
    return _hyperbolic.parameter(data, _checked(manifold)._core)


def manifold_of(parameter):
    """The manifold of a ManifoldParameter; None for other tensors."""
    core = _hyperbolic.manifold_of(parameter)
    return None if core is None else _held(core)


def _reduced(parameter):
    """For pickle."""
    return _restored, (parameter.detach().clone(), manifold_of(parameter), parameter.requires_grad)


def _restored(data, manifold, requires_grad):
    parameter = ManifoldParameter(data, manifold)
    parameter.requires_grad = requires_grad
    return parameter


def TangentParameter(data, manifold):
    """Creates a parameter z in the tangent space at the origin, for any optimiser: the points are manifold.exp0(z),
    initially `data`. z is unconstrained."""
    _checked(manifold).require_points(data)
    return Parameter(manifold.log0(data))


Curvature = _layers["Curvature"]
__all__.append("Curvature")
