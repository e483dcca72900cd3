"""geoopt's interface, computed by gyre: manifolds, parameters on manifolds and Riemannian optimisers for PyTorch.

    import gyre.torch.geoopt as geoopt

    ball = geoopt.PoincareBall(c=1.0)
    points = geoopt.ManifoldParameter(ball.random(100, 5), manifold=ball)
    optimizer = geoopt.optim.RiemannianAdam([points], lr=0.1)

docs/geoopt.md lists the differences from geoopt.
"""

from gyre.torch import _import_as
from gyre.torch.geoopt import linalg, manifolds, optim, samplers, tensor, utils
from gyre.torch.geoopt.manifolds import (
    CanonicalStiefel, Euclidean, EuclideanStiefel, EuclideanStiefelExact, Lorentz, Manifold, PoincareBall,
    PoincareBallExact, ProductManifold, Scaled, Sphere, SphereExact, SphereProjection, SphereProjectionExact,
    Stereographic, StereographicExact, StereographicProductManifold, Stiefel)
from gyre.torch.geoopt.tensor import ManifoldParameter, ManifoldTensor
from gyre.torch.geoopt.utils import ismanifold

__all__ = [
    "CanonicalStiefel", "Euclidean", "EuclideanStiefel", "EuclideanStiefelExact", "Lorentz", "Manifold",
    "ManifoldParameter", "ManifoldTensor", "PoincareBall", "PoincareBallExact", "ProductManifold", "Scaled", "Sphere",
    "SphereExact", "SphereProjection", "SphereProjectionExact", "Stereographic", "StereographicExact",
    "StereographicProductManifold", "Stiefel", "ismanifold", "linalg", "manifolds", "optim", "samplers", "tensor",
    "utils"]

_import_as.install("geoopt", __name__)
tensor.allow_loading()
