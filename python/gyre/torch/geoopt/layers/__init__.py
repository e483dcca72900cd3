"""Layers on manifolds."""

from gyre.torch.geoopt.layers import stereographic

__all__ = ["stereographic"]
