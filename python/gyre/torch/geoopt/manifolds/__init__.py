"""Manifolds, as modules: their curvatures are parameters."""

from gyre.torch.geoopt.manifolds import base, euclidean, lorentz, product, scaled, sphere, stereographic, stiefel
from gyre.torch.geoopt.manifolds.base import Manifold
from gyre.torch.geoopt.manifolds.euclidean import Euclidean
from gyre.torch.geoopt.manifolds.lorentz import Lorentz
from gyre.torch.geoopt.manifolds.product import ProductManifold, StereographicProductManifold
from gyre.torch.geoopt.manifolds.scaled import Scaled
from gyre.torch.geoopt.manifolds.sphere import Sphere, SphereExact
from gyre.torch.geoopt.manifolds.stereographic import (
    PoincareBall, PoincareBallExact, SphereProjection, SphereProjectionExact, Stereographic, StereographicExact)
from gyre.torch.geoopt.manifolds.stiefel import (
    CanonicalStiefel, EuclideanStiefel, EuclideanStiefelExact, Stiefel)

__all__ = [
    "CanonicalStiefel", "Euclidean", "EuclideanStiefel", "EuclideanStiefelExact", "Lorentz", "Manifold",
    "PoincareBall", "PoincareBallExact", "ProductManifold", "Scaled", "Sphere", "SphereExact", "SphereProjection",
    "SphereProjectionExact", "Stereographic", "StereographicExact", "StereographicProductManifold", "Stiefel", "base",
    "euclidean", "lorentz", "product", "scaled", "sphere", "stereographic", "stiefel"]
