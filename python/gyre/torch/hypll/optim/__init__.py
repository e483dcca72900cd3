"""Riemannian optimisers."""

from gyre.torch.hypll.optim.adam import RiemannianAdam
from gyre.torch.hypll.optim.sgd import RiemannianSGD

__all__ = ["RiemannianAdam", "RiemannianSGD"]
