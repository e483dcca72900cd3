"""Manifolds: `euclidean.Euclidean`, `poincare_ball.PoincareBall` and their base class."""

from gyre.torch.hypll.manifolds.base import Manifold

__all__ = ["Manifold"]
