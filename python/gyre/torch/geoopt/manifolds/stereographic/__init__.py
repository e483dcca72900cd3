"""The k-stereographic model of spaces of constant curvature."""

from gyre.torch.geoopt.manifolds.stereographic import math
from gyre.torch.geoopt.manifolds.stereographic.manifold import (
    PoincareBall, PoincareBallExact, SphereProjection, SphereProjectionExact, Stereographic, StereographicExact)

__all__ = ["PoincareBall", "PoincareBallExact", "SphereProjection", "SphereProjectionExact", "Stereographic",
           "StereographicExact", "math"]
