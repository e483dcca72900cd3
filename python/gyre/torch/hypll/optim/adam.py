"""Riemannian Adam."""

import torch

from gyre.torch.geoopt.optim.mixin import in_range
from gyre.torch.geoopt.optim.radam import _Adam
from gyre.torch.hypll.optim.parameters import ManifoldParameters

__all__ = ["RiemannianAdam"]


class RiemannianAdam(ManifoldParameters, _Adam, torch.optim.Optimizer):
    """Adam on manifolds: the first moment is transported along each step, and the second moment is one number per
    point, also of ordinary parameters, whose points are their rows. (Bécigneul and Ganea, 2019.)"""

    def __init__(self, params, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False):
        for name, value in (("lr", lr), ("eps", eps), ("weight_decay", weight_decay)):
            in_range(name, value, 0)
        for beta in betas:
            in_range("beta", beta, 0, 1)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad))
