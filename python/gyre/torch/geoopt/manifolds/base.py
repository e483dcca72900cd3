"""The base class of manifolds and the rules by which Scaled changes their methods."""

import abc
import itertools

import torch

from gyre.torch.geoopt.utils import size2shape

__all__ = ["Manifold", "ScalingInfo"]


class ScalingInfo:
    """Powers of the scale by which Scaled multiplies the results (in order) and arguments (by name) of a method."""

    NotCompatible = object()  # a method without meaning on a scaled manifold
    __slots__ = ["kwargs", "results"]

    def __init__(self, *results, **kwargs):
        self.results = results
        self.kwargs = kwargs


class ScalingStorage(dict):
    """ScalingInfo of methods by name. An instance is a decorator: @__scaling__(ScalingInfo(1), *aliases)."""

    def __call__(self, scaling_info, *aliases):
        def register(method):
            self.update(dict.fromkeys((method.__name__, *aliases), scaling_info))
            return method

        return register

    def copy(self):
        return type(self)(self)


class Manifold(torch.nn.Module, metaclass=abc.ABCMeta):
    """Base class. The last `ndim` dimensions of a tensor are a point; a subclass defines retr, expmap, inner, proju,
    projx, egrad2rgrad and the two checks, and what it can of the rest."""

    __scaling__ = ScalingStorage()
    name = None
    ndim = None
    reversible = None  # whether a step by retr_transp and back returns to the start

    forward = NotImplemented

    def __init__(self, **kwargs):
        super().__init__()

    def _first(self, attribute):
        tensor = next(itertools.chain(self.buffers(), self.parameters()), None)
        return getattr(tensor, attribute, None)

    @property
    def device(self):
        """Device of the manifold's tensors; None without tensors."""
        return self._first("device")

    @property
    def dtype(self):
        """Dtype of the manifold's tensors; None without tensors."""
        return self._first("dtype")

    # Checks return a bool, or with explain=True (bool, reason or None).

    def check_point(self, x, *, explain=False):
        """Whether x has the shape of points."""
        return _answer(self._check_shape(x.shape, "x"), explain)

    def assert_check_point(self, x):
        """ValueError unless x has the shape of points."""
        self._require("point", self.check_point(x, explain=True))

    def check_vector(self, u, *, explain=False):
        """Whether u has the shape of tangent vectors."""
        return _answer(self._check_shape(u.shape, "u"), explain)

    def assert_check_vector(self, u):
        """ValueError unless u has the shape of tangent vectors."""
        self._require("tangent vector", self.check_vector(u, explain=True))

    def check_point_on_manifold(self, x, *, explain=False, atol=1e-5, rtol=1e-5):
        """Whether x are points of the manifold."""
        found = self._check_shape(x.shape, "x")
        if found[0]:
            found = self._check_point_on_manifold(x, atol=atol, rtol=rtol)
        return _answer(found, explain)

    def assert_check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5):
        """ValueError unless x are points of the manifold."""
        self._require("point", self.check_point_on_manifold(x, explain=True, atol=atol, rtol=rtol))

    def check_vector_on_tangent(self, x, u, *, ok_point=False, explain=False, atol=1e-5, rtol=1e-5):
        """Whether u are tangent vectors at x; ok_point: x is known to be on the manifold."""
        found = (True, None)
        if not ok_point:
            found = self._check_shape(u.shape, "u")
            if found[0]:
                found = self.check_point_on_manifold(x, explain=True, atol=atol, rtol=rtol)
        if found[0]:
            found = self._check_vector_on_tangent(x, u, atol=atol, rtol=rtol)
        return _answer(found, explain)

    def assert_check_vector_on_tangent(self, x, u, *, ok_point=False, atol=1e-5, rtol=1e-5):
        """ValueError unless u are tangent vectors at x."""
        self._require("tangent vector at x", self.check_vector_on_tangent(
            x, u, ok_point=ok_point, explain=True, atol=atol, rtol=rtol))

    def _require(self, what, found):
        ok, reason = found
        if not ok:
            raise ValueError(f"expected a {what} of {self}: {reason}")

    @__scaling__(ScalingInfo(1))
    def dist(self, x, y, *, keepdim=False):
        """Geodesic distance between x and y."""
        raise self._missing("dist")

    @__scaling__(ScalingInfo(2))
    def dist2(self, x, y, *, keepdim=False):
        """Squared geodesic distance between x and y."""
        return self.dist(x, y, keepdim=keepdim) ** 2

    @abc.abstractmethod
    @__scaling__(ScalingInfo(u=-1))
    def retr(self, x, u):
        """Retraction of u at x, the step of optimisers."""

    @abc.abstractmethod
    @__scaling__(ScalingInfo(u=-1))
    def expmap(self, x, u):
        """Exponential map of u at x."""

    @__scaling__(ScalingInfo(1))
    def logmap(self, x, y):
        """Logarithmic map of y at x."""
        raise self._missing("logmap")

    @__scaling__(ScalingInfo(u=-1))
    def expmap_transp(self, x, u, v):
        """expmap(x, u) and v transported there from x."""
        y = self.expmap(x, u)
        return y, self.transp(x, y, v)

    @__scaling__(ScalingInfo(u=-1))
    def retr_transp(self, x, u, v):
        """retr(x, u) and v transported there from x."""
        y = self.retr(x, u)
        return y, self.transp(x, y, v)

    @__scaling__(ScalingInfo(u=-1))
    def transp_follow_retr(self, x, u, v):
        """v transported from x to retr(x, u)."""
        return self.retr_transp(x, u, v)[1]

    @__scaling__(ScalingInfo(u=-1))
    def transp_follow_expmap(self, x, u, v):
        """v transported from x to expmap(x, u)."""
        return self.expmap_transp(x, u, v)[1]

    def transp(self, x, y, v):
        """Vector transport of v from x to y."""
        raise self._missing("transp")

    @abc.abstractmethod
    def inner(self, x, u, v=None, *, keepdim=False):
        """Inner product of tangent vectors u and v (u if None) at x."""

    def component_inner(self, x, u, v=None):
        """Inner product that broadcasts against u, by factor on a product manifold; for adaptive optimisers."""
        return self.inner(x, u, v, keepdim=True)

    def norm(self, x, u, *, keepdim=False):
        """Norm of a tangent vector u at x."""
        return self.inner(x, u, keepdim=keepdim) ** 0.5

    @abc.abstractmethod
    def proju(self, x, u):
        """Projection of u onto the tangent space at x."""

    @abc.abstractmethod
    def egrad2rgrad(self, x, u):
        """Riemannian gradient at x from the Euclidean gradient u."""

    @abc.abstractmethod
    def projx(self, x):
        """Projection of x onto the manifold."""

    def _check_shape(self, shape, name):
        if len(shape) >= self.ndim:
            return True, None
        return False, f"expected {name} with at least {self.ndim} dimensions, got shape {tuple(shape)}"

    def _assert_check_shape(self, shape, name):
        ok, reason = self._check_shape(shape, name)
        if not ok:
            raise ValueError(reason)

    @abc.abstractmethod
    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5):
        """(Whether x of a valid shape are points, reason or None.)"""

    @abc.abstractmethod
    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5):
        """(Whether u of a valid shape are tangent vectors at points x, reason or None.)"""

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        return f"{self.name}({extra}) manifold" if extra else f"{self.name} manifold"

    def unpack_tensor(self, tensor):
        """The parts of a point of a product manifold; other points unchanged."""
        return tensor

    def pack_point(self, *tensors):
        """A point of a product manifold from its parts; another point unchanged."""
        if len(tensors) != 1:
            raise ValueError(f"expected 1 tensor, got {len(tensors)}")
        return tensors[0]

    def random(self, *size, dtype=None, device=None, **kwargs):
        """Random points of the given shape."""
        raise self._missing("random")

    def origin(self, *size, dtype=None, device=None, seed=42):
        """The origin repeated to the given shape; on a manifold without one, the same random points for a seed."""
        if seed is None:
            return self.random(*size, dtype=dtype, device=device)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return self.random(*size, dtype=dtype, device=device)

    def _missing(self, method):
        return NotImplementedError(f"{self.name} has no {method}")

    def _shape(self, size):
        """The shape given by the arguments of random and origin; ValueError if it is not one of points."""
        shape = size2shape(*size)
        self._assert_check_shape(shape, "x")
        return shape

    def _own(self, tensor, dtype, device):
        """The dtype and device of one of the manifold's tensors, with which given ones must agree."""
        for what, given in (("dtype", dtype), ("device", None if device is None else torch.device(device))):
            own = getattr(tensor, what)
            if given is not None and given != own:
                raise ValueError(
                    f"expected {what} {own} of the manifold, got {given}; omit {what} or move the manifold")
        return {"dtype": tensor.dtype, "device": tensor.device}

    def _points(self, tensor):
        from gyre.torch.geoopt.tensor import ManifoldTensor
        return ManifoldTensor(tensor, manifold=self)


def _answer(found, explain):
    return found if explain else found[0]
