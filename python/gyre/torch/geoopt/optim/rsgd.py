"""Riemannian stochastic gradient descent. (Bonnabel, "Stochastic gradient descent on Riemannian manifolds", 2013.)"""

import torch

from gyre.torch.geoopt.optim.mixin import OptimMixin, SparseMixin, gradient, in_range

__all__ = ["RiemannianSGD", "SparseRiemannianSGD"]


class _Sgd(OptimMixin, torch.optim.Optimizer):
    _sparse_version = None
    _moment = "momentum_buffer"

    def __init__(self, params, defaults, stabilize):
        in_range("lr", defaults["lr"], 0)
        in_range("momentum", defaults["momentum"], 0)
        in_range("weight_decay", defaults.get("weight_decay", 0), 0)
        if defaults["nesterov"] and (defaults["momentum"] == 0 or defaults["dampening"] != 0):
            raise ValueError("expected momentum > 0 and dampening = 0 for Nesterov momentum, got momentum "
                             f"{defaults['momentum']} and dampening {defaults['dampening']}")
        super().__init__(params, defaults, stabilize=stabilize)

    def _step_group(self, group):
        group["step"] = group.get("step", 0) + 1
        for point in group["params"]:
            found = gradient(self, point, self._sparse_version)
            if found is not None:
                self._step_point(group, point, *found)
        if self._is_due(group, group["step"]):
            self.stabilize_group(group)

    def _step_point(self, group, point, rows, grad):
        state, manifold, momentum = self.state[point], self.manifold_of(point), group["momentum"]
        if momentum and not state:  # the buffer starts with the Euclidean gradient, as in geoopt
            state["momentum_buffer"] = torch.zeros_like(point, memory_format=torch.preserve_format)
            state["momentum_buffer"][rows] = grad
        x = point[rows]
        if group.get("weight_decay"):
            grad = grad.add(x, alpha=group["weight_decay"])
        grad = manifold.egrad2rgrad(x, grad)
        if not momentum:
            point[rows] = manifold.retr(x, -group["lr"] * grad)
            return
        buffer = state["momentum_buffer"][rows] * momentum + grad * (1 - group["dampening"])
        grad = grad + momentum * buffer if group["nesterov"] else buffer
        point[rows], state["momentum_buffer"][rows] = manifold.retr_transp(x, -group["lr"] * grad, buffer)


class RiemannianSGD(_Sgd):
    """Stochastic gradient descent on manifolds; the momentum is transported along each step."""

    _sparse_version = "SparseRiemannianSGD"

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0, nesterov=False, stabilize=None):
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay,
                                      nesterov=nesterov), stabilize)


class SparseRiemannianSGD(SparseMixin, _Sgd):
    """RiemannianSGD for sparse gradients of matrices, whose rows are points."""

    def __init__(self, params, lr, momentum=0, dampening=0, nesterov=False, stabilize=None):
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, nesterov=nesterov), stabilize)
