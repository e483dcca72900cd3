"""The Poincaré ball and its curvature."""

from gyre.torch.hypll.manifolds.poincare_ball.curvature import Curvature
from gyre.torch.hypll.manifolds.poincare_ball.manifold import PoincareBall

__all__ = ["Curvature", "PoincareBall"]
