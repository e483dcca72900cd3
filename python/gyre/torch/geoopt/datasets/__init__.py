"""Synthetic data on manifolds."""

from gyre.torch.geoopt.datasets import stereographic

__all__ = ["stereographic"]
