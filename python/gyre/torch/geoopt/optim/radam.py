"""Riemannian Adam. (Bécigneul and Ganea, "Riemannian adaptive optimization methods", 2019.)"""

import torch

from gyre.torch.geoopt.optim.mixin import OptimMixin, SparseMixin, gradient, in_range

__all__ = ["RiemannianAdam", "SparseRiemannianAdam"]


class _Adam(OptimMixin):
    _sparse_version = None
    _moment = "exp_avg"

    def _step_group(self, group):
        due = False
        for point in group["params"]:
            found = gradient(self, point, self._sparse_version)
            if found is not None:
                due |= self._is_due(group, self._step_point(group, point, *found))
        if due:
            self.stabilize_group(group)

    def _step_point(self, group, point, rows, grad):
        state, manifold = self.state[point], self.manifold_of(point)
        if not state:
            state["step"] = 0
            for name in ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")[:2 + group["amsgrad"]]:
                state[name] = torch.zeros_like(point, memory_format=torch.preserve_format)
        step = state["step"] = int(state["step"]) + 1
        beta1, beta2 = group["betas"]
        x = point[rows]
        if group.get("weight_decay"):
            grad = grad.add(x, alpha=group["weight_decay"])
        grad = manifold.egrad2rgrad(x, grad)
        mean = torch.lerp(grad, state["exp_avg"][rows], beta1)
        square = state["exp_avg_sq"][rows] * beta2 + manifold.component_inner(x, grad) * (1 - beta2)
        state["exp_avg_sq"][rows] = square
        if group["amsgrad"]:
            square = state["max_exp_avg_sq"][rows] = torch.maximum(state["max_exp_avg_sq"][rows], square)
        direction = mean / (1 - beta1 ** step) / ((square / (1 - beta2 ** step)).sqrt() + group["eps"])
        point[rows], state["exp_avg"][rows] = manifold.retr_transp(x, -group["lr"] * direction, mean)
        return step


class RiemannianAdam(_Adam, torch.optim.Adam):
    """torch.optim.Adam on manifolds: the first moment is transported along each step, and the second moment is one
    number per point (per factor on a product manifold)."""

    _sparse_version = "SparseRiemannianAdam"


class SparseRiemannianAdam(_Adam, SparseMixin, torch.optim.Optimizer):
    """RiemannianAdam for sparse gradients of matrices, whose rows are points."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, amsgrad=False, stabilize=None):
        in_range("lr", lr, 0)
        in_range("eps", eps, 0)
        for beta in betas:
            in_range("beta", beta, 0, 1)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, amsgrad=amsgrad), stabilize=stabilize)
