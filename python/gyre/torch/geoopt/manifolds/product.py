"""Products of manifolds. A point is one row: the flattened points of the factors, one after the other."""

import math

import torch

from gyre.torch.geoopt.manifolds.base import Manifold, ScalingInfo
from gyre.torch.geoopt.manifolds.stereographic import Stereographic
from gyre.torch.geoopt.utils import broadcast_shapes, ismanifold, size2shape

__all__ = ["ProductManifold", "StereographicProductManifold"]


class ProductManifold(Manifold):
    """Product manifold: ProductManifold((manifold, shape), ...), where shape is that of one point of the factor."""

    ndim = 1

    def __init__(self, *manifolds_with_shape):
        if not manifolds_with_shape:
            raise ValueError("expected at least one (manifold, shape), got none")
        super().__init__()
        self.shapes, self.slices, start = [], [], 0
        for number, (manifold, shape) in enumerate(manifolds_with_shape):
            shape = tuple(size2shape(shape))
            ok, reason = manifold._check_shape(shape, f"shape {number}")
            if not ok:
                raise ValueError(reason)
            self.shapes.append(shape)
            self.slices.append(slice(start, start + math.prod(shape)))
            start += math.prod(shape)
        manifolds = [manifold for manifold, _ in manifolds_with_shape]
        for what in ("device", "dtype"):
            found = {getattr(m, what) for m in manifolds} - {None}
            if len(found) > 1:
                raise ValueError(f"Not all manifold share the same {what}: got {sorted(map(str, found))}; move them")
        self.name = "x".join(f"({m.name})" for m in manifolds)
        self.n_elements = start
        self.n_manifolds = len(manifolds)
        self.manifolds = torch.nn.ModuleList(manifolds)

    @property
    def reversible(self):
        return all(m.reversible for m in self.manifolds)

    @classmethod
    def from_point(cls, *parts, batch_dims=0):
        """The product of the manifolds of ManifoldTensors, whose first batch_dims dimensions are a batch."""
        batches = {tuple(part.shape[:batch_dims]) for part in parts}
        if len(batches) > 1:
            raise ValueError(f"Not all parts have same batch shape: got {sorted(batches)}")
        return cls(*((part.manifold, part.shape[batch_dims:]) for part in parts))

    def take_submanifold_value(self, x, i, reshape=True):
        """The part of x for factor i."""
        place = self.slices[i]
        part = x.narrow(-1, place.start, place.stop - place.start)
        return part.reshape((*part.shape[:-1], *self.shapes[i])) if reshape else part

    def unpack_tensor(self, tensor):
        return tuple(self.take_submanifold_value(tensor, i) for i in range(self.n_manifolds))

    def pack_point(self, *tensors):
        if len(tensors) != self.n_manifolds:
            raise ValueError(f"expected {self.n_manifolds} tensors, got {len(tensors)}")
        for part, shape in zip(tensors, self.shapes):
            if tuple(part.shape[part.dim() - len(shape):]) != shape:
                raise ValueError(f"expected a part of shape [..., {', '.join(map(str, shape))}], got "
                                 f"{tuple(part.shape)}")
        batch = broadcast_shapes(*(part.shape[:part.dim() - len(shape)] for part, shape in zip(tensors, self.shapes)))
        return torch.cat([part.expand((*batch, *shape)).reshape((*batch, -1))
                          for part, shape in zip(tensors, self.shapes)], -1)

    def _each(self, method, *tensors, **options):
        """Results of a method of each factor on its part of the tensors."""
        return [getattr(manifold, method)(
            *(None if t is None else self.take_submanifold_value(t, i) for t in tensors), **options)
            for i, manifold in enumerate(self.manifolds)]

    def _packed(self, method, *tensors, **options):
        return self.pack_point(*self._each(method, *tensors, **options))

    def _packed_pair(self, method, *tensors):
        points, vectors = zip(*self._each(method, *tensors))
        return self.pack_point(*points), self.pack_point(*vectors)

    def _summed(self, method, *tensors, keepdim):
        parts = [part.sum(tuple(range(-len(shape), 0))) if shape else part
                 for part, shape in zip(self._each(method, *tensors, keepdim=True), self.shapes)]
        total = sum(parts)
        return total.unsqueeze(-1) if keepdim else total

    def _check_shape(self, shape, name):
        if len(shape) and shape[-1] == self.n_elements:
            return True, None
        return False, f"expected {name} with {self.n_elements} coordinates, got shape {tuple(shape)}"

    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5):
        return _first_failure(self._each("check_point_on_manifold", x, atol=atol, rtol=rtol, explain=True))

    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5):
        return _first_failure(self._each("check_vector_on_tangent", x, u, atol=atol, rtol=rtol, explain=True))

    def inner(self, x, u, v=None, *, keepdim=False):
        return self._summed("inner", x, u, v, keepdim=keepdim)

    def component_inner(self, x, u, v=None):
        parts = self._each("component_inner", x, u, v)
        shapes = zip(self.unpack_tensor(x), self.unpack_tensor(u), parts)
        return self.pack_point(*(part.expand(broadcast_shapes(p.shape, q.shape, part.shape)) for p, q, part in shapes))

    def projx(self, x):
        return self._packed("projx", x)

    def proju(self, x, u):
        return self._packed("proju", x, u)

    def egrad2rgrad(self, x, u):
        return self._packed("egrad2rgrad", x, u)

    def expmap(self, x, u):
        return self._packed("expmap", x, u)

    def retr(self, x, u):
        return self._packed("retr", x, u)

    def logmap(self, x, y):
        return self._packed("logmap", x, y)

    def transp(self, x, y, v):
        return self._packed("transp", x, y, v)

    def transp_follow_retr(self, x, u, v):
        return self._packed("transp_follow_retr", x, u, v)

    def transp_follow_expmap(self, x, u, v):
        return self._packed("transp_follow_expmap", x, u, v)

    def expmap_transp(self, x, u, v):
        return self._packed_pair("expmap_transp", x, u, v)

    def retr_transp(self, x, u, v):
        return self._packed_pair("retr_transp", x, u, v)

    def dist2(self, x, y, *, keepdim=False):
        return self._summed("dist2", x, y, keepdim=keepdim)

    def dist(self, x, y, *, keepdim=False):
        return _root(self.dist2(x, y, keepdim=keepdim))

    def _made(self, method, size, **options):
        batch = self._shape(size)[:-1]
        return self._points(self.pack_point(*(
            getattr(manifold, method)((*batch, *shape), **options)
            for manifold, shape in zip(self.manifolds, self.shapes))))

    def random_combined(self, *size, dtype=None, device=None):
        """Random points of the factors."""
        return self._made("random", size, dtype=dtype, device=device)

    random = random_combined

    def origin(self, *size, dtype=None, device=None, seed=42):
        return self._made("origin", size, dtype=dtype, device=device, seed=seed)


def _first_failure(found):
    return next((answer for answer in found if not answer[0]), (True, None))


def _root(square):
    """The square root, with gradient 0 at 0."""
    positive = square > 0
    return torch.where(positive, torch.where(positive, square, 1).sqrt(), 0)


class StereographicProductManifold(ProductManifold):
    """Product of stereographic models, with the methods of a Stereographic."""

    __scaling__ = Stereographic.__scaling__.copy()

    def __init__(self, *manifolds_with_shape):
        super().__init__(*manifolds_with_shape)
        for manifold in self.manifolds:
            if not ismanifold(manifold, Stereographic):
                raise TypeError(f"expected Stereographic factors, got {manifold}")

    def dist2plane(self, x, p, a, *, keepdim=False, signed=False, scaled=False):
        """Root of the summed squared distances of the factors' parts to their hyperplanes."""
        parts = self._each("dist2plane", x, p, a, keepdim=keepdim, signed=signed, scaled=scaled)
        return _root(sum(part ** 2 for part in parts))

    def mobius_add(self, x, y, *, project=True):
        return self._packed("mobius_add", x, y, project=project)

    def mobius_sub(self, x, y, *, project=True):
        return self._packed("mobius_sub", x, y, project=project)

    def mobius_coadd(self, x, y, *, project=True):
        return self._packed("mobius_coadd", x, y, project=project)

    def mobius_cosub(self, x, y, *, project=True):
        return self._packed("mobius_cosub", x, y, project=project)

    def mobius_scalar_mul(self, r, x, *, project=True):
        return self._at("mobius_scalar_mul", r, x, project=project)

    def mobius_pointwise_mul(self, w, x, *, project=True):
        return self._packed("mobius_pointwise_mul", w, x, project=project)

    def take_submanifold_matrix(self, x, i, reshape=True):
        """The diagonal block of matrices x for factor i."""
        place, shape = self.slices[i], self.shapes[i]
        part = x[..., place, place]
        return part.reshape((*part.shape[:-2], *shape, *shape)) if reshape else part

    def mobius_matvec(self, m, x, *, project=True):
        """Möbius matrix-vector multiplication with the diagonal blocks of m."""
        return self.pack_point(*(
            manifold.mobius_matvec(self.take_submanifold_matrix(m, i), part, project=project)
            for i, (manifold, part) in enumerate(zip(self.manifolds, self.unpack_tensor(x)))))

    def wrapped_normal(self, *size, mean, std=1, dtype=None, device=None):
        """Wrapped normal distribution around mean; std is a number or one per coordinate."""
        batch = self._shape(size)[:-1]
        std = torch.as_tensor(std, dtype=mean.dtype, device=mean.device).expand(mean.shape[-1:])
        parts = zip(self.manifolds, self.shapes, self.unpack_tensor(mean), self.unpack_tensor(std))
        return self._points(self.pack_point(*(
            manifold.wrapped_normal((*batch, *shape), mean=middle, std=spread, dtype=dtype, device=device)
            for manifold, shape, middle, spread in parts)))

    def geodesic(self, t, x, y, *, dim=-1):
        return self._at("geodesic", t, x, y)

    @__scaling__(ScalingInfo(t=-1))
    def geodesic_unit(self, t, x, u, *, project=True):
        return self._at("geodesic_unit", t, x, u, project=project)

    def _at(self, method, number, *tensors, **options):
        """A method whose first argument is the same for all factors."""
        return self.pack_point(*(
            getattr(manifold, method)(number, *(self.take_submanifold_value(t, i) for t in tensors), **options)
            for i, manifold in enumerate(self.manifolds)))

    def dist0(self, x, *, keepdim=False):
        distance = _root(sum(part ** 2 for part in self._each("dist0", x)))
        return distance.unsqueeze(-1) if keepdim else distance

    def expmap0(self, u, *, project=True):
        return self._packed("expmap0", u, project=project)

    def logmap0(self, x, *, project=True):
        return self._packed("logmap0", x)

    def transp0(self, y, u):
        return self._packed("transp0", y, u)

    def transp0back(self, x, u):
        return self._packed("transp0back", x, u)

    def gyration(self, x, y, z, *, project=True):
        return self._packed("gyration", x, y, z)

    def antipode(self, x, *, project=True):
        return self._packed("antipode", x)

    def mobius_fn_apply(self, fn, x, *args, project=True, **kwargs):
        return self.pack_point(*(manifold.mobius_fn_apply(fn, part, *args, project=project, **kwargs)
                                 for manifold, part in zip(self.manifolds, self.unpack_tensor(x))))

    def mobius_fn_apply_chain(self, x, *fns, project=True):
        return self.pack_point(*(manifold.mobius_fn_apply_chain(part, *fns, project=project)
                                 for manifold, part in zip(self.manifolds, self.unpack_tensor(x))))
