"""Riemannian stochastic gradient descent."""

from gyre.torch.geoopt.optim.rsgd import _Sgd
from gyre.torch.hypll.optim.parameters import ManifoldParameters

__all__ = ["RiemannianSGD"]


class RiemannianSGD(ManifoldParameters, _Sgd):
    """Stochastic gradient descent on manifolds along geodesics; the momentum is transported along each step."""

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0, nesterov=False):
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                      nesterov=nesterov), None)
