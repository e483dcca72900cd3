"""The unit sphere, or its intersection with a linear subspace."""

import functools

import torch

import gyre.torch.hyperbolic
from gyre.torch.geoopt import linalg
from gyre.torch.geoopt.manifolds.base import Manifold
from gyre.torch.geoopt.utils import broadcast_shapes

__all__ = ["Sphere", "SphereExact"]

_UNIT = gyre.torch.hyperbolic.Sphere()


def _gyre(method, *tensors):
    dtype = functools.reduce(torch.promote_types, (t.dtype for t in tensors))
    return getattr(_UNIT, method)(*(t.to(dtype) for t in tensors))


class Sphere(Manifold):
    """Unit sphere in the last dimension. `intersection` [..., dim, k]: in the span of its columns; `complement`: in
    the orthogonal complement of that span. Optimisers use the projection as retraction."""

    ndim = 1
    name = "Sphere"
    reversible = False

    def __init__(self, intersection=None, complement=None):
        super().__init__()
        if intersection is not None and complement is not None:
            raise TypeError("expected intersection or complement, got both")
        projector = None
        if intersection is not None:
            q, _ = linalg.qr(intersection)
            projector = q @ q.mT
        elif complement is not None:
            q, _ = linalg.qr(complement)
            projector = torch.eye(q.shape[-2], dtype=q.dtype, device=q.device) - q @ q.mT
        self.register_buffer("projector", projector)
        if projector is not None and (linalg.matrix_rank(projector) < 2).any():
            raise ValueError("expected a subspace of 2 or more dimensions, got 1: its sphere is two points")

    def _check_shape(self, shape, name):
        ok, reason = super()._check_shape(shape, name)
        if not ok:
            return ok, reason
        if self.projector is None:
            if shape[-1] == 1:
                return False, f"expected {name} with 2 or more coordinates, got 1: its sphere is two points"
        elif shape[-1] != self.projector.shape[-1]:
            return False, f"expected {name} with {self.projector.shape[-1]} coordinates, got {shape[-1]}"
        return True, None

    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5):
        norm = x.norm(dim=-1)
        if not torch.allclose(norm, torch.ones_like(norm), atol=atol, rtol=rtol):
            return False, f"expected norm 1, got {norm.flatten()[(norm - 1).abs().argmax()].item():g}"
        if not torch.allclose(self._in_subspace(x), x, atol=atol, rtol=rtol):
            return False, "expected points in the subspace; project them with projx"
        return True, None

    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5):
        inner = (x * u).sum(-1)
        if not torch.allclose(inner, torch.zeros_like(inner), atol=atol, rtol=rtol):
            return False, "expected a vector orthogonal to x; project it with proju"
        if not torch.allclose(self._in_subspace(u), u, atol=atol, rtol=rtol):
            return False, "expected a vector in the subspace; project it with proju"
        return True, None

    def _in_subspace(self, x):
        return x if self.projector is None else (self.projector @ x.unsqueeze(-1)).squeeze(-1)

    def inner(self, x, u, v=None, *, keepdim=False):
        inner = (u * (u if v is None else v)).sum(-1, keepdim=True)
        inner = inner.expand(broadcast_shapes((*x.shape[:-1], 1), inner.shape))
        return inner if keepdim else inner.squeeze(-1)

    def projx(self, x):
        return torch.nn.functional.normalize(self._in_subspace(x), dim=-1, eps=0)

    def proju(self, x, u):
        return self._in_subspace(u - (x * u).sum(dim=-1, keepdim=True) * x)

    def egrad2rgrad(self, x, u):
        return self.proju(x, u)

    def retr(self, x, u):
        return self.projx(x + u)

    def expmap(self, x, u):
        return _gyre("exp", x, u)

    def logmap(self, x, y):
        return _gyre("log", x, y)

    def transp(self, x, y, v):
        return self.proju(y, v)

    def dist(self, x, y, *, keepdim=False):
        distance = _gyre("dist", x, y)
        return distance.unsqueeze(-1) if keepdim else distance

    def random_uniform(self, *size, dtype=None, device=None):
        """Uniformly distributed points."""
        if self.projector is not None:
            own = self._own(self.projector, dtype, device)
            dtype, device = own["dtype"], own["device"]
        return self._points(self.projx(torch.randn(self._shape(size), dtype=dtype, device=device)))

    random = random_uniform


class SphereExact(Sphere):
    """Sphere whose retraction is the exponential map."""

    retr = Sphere.expmap

    def extra_repr(self):
        return "exact"
