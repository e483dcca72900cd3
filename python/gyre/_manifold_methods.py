"""geoopt's names and arguments of the methods of manifolds, for gyre.hyperbolic and gyre.torch.hyperbolic.

Methods of the table take geoopt's `dim`, the dimension of the coordinates, and those that result in one number per row
its `keepdim`. `NAMES` has geoopt's names of them; what geoopt composes of them is in GeooptMethods.
"""

import inspect
import reprlib

NUMBERS = {"dist", "dist0", "dist2", "inner", "norm", "lambda_"}  # one per row
WITHOUT_DIM = {"layer", "cdist", "midpoint", "frechet_mean", "pointwise"}

# geoopt's name of a method: gyre's, and geoopt's names of its arguments
NAMES = {
    "expmap": ("exp", "x u"), "expmap0": ("exp0", "u"), "logmap": ("log", "x y"), "logmap0": ("log0", "x"),
    "transp": ("transport", "x y v"), "transp0": ("transport0", "y u"), "projx": ("project", "x"),
    "mobius_add": ("add", "x y"), "mobius_sub": ("sub", "x y"), "mobius_matvec": ("matvec", "m x"),
    "lambda_x": ("lambda_", "x"),
}
ARGUMENTS = {"norm": "x u", "egrad2rgrad": "x u", "gyration": "x y z"}  # geoopt's, of methods with the same name


def _both_vectors(args):
    """u for v of the inner product if that is missing."""
    return (*args[:2], args[1]) if len(args) == 2 or len(args) == 3 and args[2] is None else args


def _number_last(args):
    """The arguments of geodesic; geoopt has the number t first, which is no point since it has no coordinates."""
    first_is_number = not getattr(args[0], "ndim", isinstance(args[0], (list, tuple))) if args else False
    return (*args[1:], args[0]) if first_is_number else args


ORDERED = {"inner": _both_vectors, "geodesic": _number_last}
NO_VECTORS = {"matvec": 0, "scalar": 0, "geodesic": 2}  # the argument that is a matrix or number


def along_dim(name, call, manifold, args, keepdim=False, dim=-1):
    """A call of a method on rows with vectors along `dim`."""
    if dim != -1:
        args = [x if i == NO_VECTORS.get(name) else manifold._vector(x).movedim(dim, -1) for i, x in enumerate(args)]
    result = call(*args)
    if name in NUMBERS:
        return result.unsqueeze(dim) if keepdim else result
    return result if dim == -1 else result.movedim(-1, dim)


def keywords(name):
    """The parameters that along_dim adds to the signature."""
    added = {"keepdim": False} if name in NUMBERS else {}
    added.update({} if name in WITHOUT_DIM else {"dim": -1})
    return [inspect.Parameter(k, inspect.Parameter.KEYWORD_ONLY, default=v) for k, v in added.items()]


class GeooptMethods:
    """Methods that geoopt's manifolds have beside those of the table. Points and vectors are along `dim`. A library's
    manifolds define _vector(x), x as its tensor, _cat(vectors) along the coordinates, and _randn(shape, dtype)."""

    @property
    def k(self):
        """The sectional curvature, -c; None for a manifold without a curvature parameter."""
        return None if self.c is None else -self.c

    def parameters(self):
        """The learned curvatures."""
        found = [c for manifold, _ in getattr(self, "parts", ()) for c in manifold.parameters()]
        return [*found, self.c] if getattr(self.c, "requires_grad", False) else found

    def proju(self, x, u, *, dim=-1):
        """Projection of u onto the tangent space at x."""
        if getattr(self, "parts", ()):
            x, u = (self._vector(t).movedim(dim, -1) for t in (x, u))
            parts, start = [], 0
            for manifold, size in self.parts:
                parts.append(manifold.proju(*(t.narrow(-1, start, size) for t in (x, u))))
                start += size
            return self._cat(parts).movedim(-1, dim)
        if type(self).__name__ == "Sphere":  # the Riemannian gradient is this projection
            return self.egrad2rgrad(x, u, dim=dim)
        return self._vector(u) + 0 * self._vector(x)

    def retr(self, x, u, *, dim=-1):
        """Retraction: x + u, projected onto the manifold."""
        y = self._vector(x) + u
        return self.project(y, dim=dim) if self.has("project") else y

    def expmap_transp(self, x, u, v, *, dim=-1):
        """exp(x, u) and v transported there from x."""
        y = self.exp(x, u, dim=dim)
        return y, self.transport(x, y, v, dim=dim)

    def retr_transp(self, x, u, v, *, dim=-1):
        """retr(x, u) and v transported there from x."""
        y = self.retr(x, u, dim=dim)
        return y, self.transport(x, y, v, dim=dim)

    def transp_follow_expmap(self, x, u, v, *, dim=-1):
        """v transported from x to exp(x, u)."""
        return self.expmap_transp(x, u, v, dim=dim)[1]

    def transp_follow_retr(self, x, u, v, *, dim=-1):
        """v transported from x to retr(x, u)."""
        return self.retr_transp(x, u, v, dim=dim)[1]

    def transp0back(self, y, u, *, dim=-1):
        """Parallel transport of u from y to the origin."""
        y = self._vector(y)
        return self.transport(y, 0 * y, u, dim=dim)

    def mobius_scalar_mul(self, r, x, *, dim=-1):
        """Möbius scalar multiplication r ⊗ x; r is a number, or has size 1 along dim."""
        return self.scalar(_per_row(r, dim), x, dim=dim)

    def mobius_coadd(self, x, y, *, dim=-1):
        """Möbius coaddition x ⊕ gyr[x, -y] y, which is commutative."""
        y = self._vector(y)
        return self.add(x, self.gyration(x, -y, y, dim=dim), dim=dim)

    def mobius_cosub(self, x, y, *, dim=-1):
        """Möbius coaddition of x and -y."""
        return self.mobius_coadd(x, -self._vector(y), dim=dim)

    def mobius_pointwise_mul(self, w, x, *, dim=-1):
        """Möbius multiplication with a diagonal matrix w."""
        return self.exp0(self._vector(w) * self.log0(x, dim=dim), dim=dim)

    def mobius_fn_apply(self, fn, x, *args, dim=-1, **kwargs):
        """fn applied in the tangent space at the origin."""
        return self.exp0(fn(self.log0(x, dim=dim), *args, **kwargs), dim=dim)

    def mobius_fn_apply_chain(self, x, *fns, dim=-1):
        """Functions applied one after the other in the tangent space at the origin."""
        u = self.log0(x, dim=dim)
        for fn in fns:
            u = fn(u)
        return self.exp0(u, dim=dim)

    def geodesic_unit(self, t, x, u, *, dim=-1):
        """Point at distance t from x in the direction u."""
        return self.exp(x, t * (u / self.norm(x, u, keepdim=True, dim=dim)), dim=dim)

    def dist2plane(self, x, p, a, *, dim=-1, keepdim=False, signed=False, scaled=False):
        """Distance of x to the geodesic hyperplane through p with normal a; signed: positive on the side of a; scaled:
        times the norm of a."""
        if type(self).__name__ != "PoincareBall":
            raise ValueError(f"dist2plane: expected a PoincareBall, got {reprlib.repr(self)}")
        a = self._vector(a)
        difference = self.add(-self._vector(p), x, dim=dim)
        along, size = (difference * a).sum(dim, keepdim=True), a.square().sum(dim, keepdim=True).sqrt()
        sine = self.lambda_(difference, keepdim=True, dim=dim) * (along if signed else along.abs()) / size
        curvature = float(self.c)
        root = (self.c if curvature >= 0 else -self.c) ** 0.5
        distance = sine if curvature == 0 else (
            (root * sine).asinh() if curvature > 0 else (root * sine).clamp(-1, 1).asin()) / root
        distance = distance * size if scaled else distance
        return distance if keepdim else distance.squeeze(dim)

    def random_normal(self, *size, mean=0, std=1, dtype=None):
        """exp0 of a normal tangent vector at the origin, of variance std^2 / d per coordinate and given mean; on the
        sphere a uniformly distributed point."""
        shape = _shape(size)
        noise = self._randn(shape, dtype)
        if not self.has("exp0") and self.has("project"):
            return self.project(noise)
        return self.exp0(noise * (std / shape[-1] ** 0.5) + mean)

    random = random_normal

    def wrapped_normal(self, *size, mean, std=1, dtype=None):
        """Wrapped normal distribution around mean."""
        noise = self._randn(_shape(size), dtype) * std
        return self.exp(mean, noise / self.lambda_(mean, keepdim=True))

    def origin(self, *size, dtype=None):
        """The origin repeated to the given shape."""
        if not self.has("exp0"):
            raise ValueError(f"origin: {self!r} has no origin")
        return 0 * self._randn(_shape(size), dtype)


def _shape(size):
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size


def _per_row(r, dim):
    """Numbers with size 1 along dim without that dimension; other numbers unchanged."""
    return r.squeeze(dim) if getattr(r, "ndim", 0) and r.shape[dim] == 1 else r
