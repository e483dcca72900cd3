"""Formulas of the Poincaré ball of curvature -c as functions of torch tensors."""

from gyre.torch.hypll.manifolds.poincare_ball.math import diffgeom, linalg, stats

__all__ = ["diffgeom", "linalg", "stats"]
