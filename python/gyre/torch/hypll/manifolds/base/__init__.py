"""The base class of manifolds."""

from gyre.torch.hypll.manifolds.base.manifold import Manifold

__all__ = ["Manifold"]
