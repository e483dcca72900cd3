"""Euclidean space."""

from gyre.torch.hypll.manifolds.euclidean.manifold import Euclidean

__all__ = ["Euclidean"]
