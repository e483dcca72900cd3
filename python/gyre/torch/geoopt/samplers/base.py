"""What the samplers share."""

import torch

from gyre.torch.geoopt.manifolds import ProductManifold, Stereographic
from gyre.torch.geoopt.optim.mixin import OptimMixin
from gyre.torch.geoopt.utils import ismanifold

__all__ = ["Sampler"]


class Sampler(OptimMixin, torch.optim.Optimizer):
    """Base class: step(closure) draws the next point for the log probability that closure returns. Counts are kept
    while `burnin` is False."""

    def __init__(self, params, defaults):
        super().__init__(params, defaults)
        self.burnin, self.steps, self.n_rejected = True, 0, 0
        self.log_probs, self.acceptance_probs = [], []
        for p in self._parameters():
            if not self.manifold_of(p).reversible:
                raise ValueError(f"expected manifolds with a reversible retraction, got {self.manifold_of(p)}")

    @property
    def rejection_rate(self):
        """The share of rejected steps."""
        return self.n_rejected / self.steps if self.steps else 0.0

    def _parameters(self):
        return [p for group in self.param_groups for p in group["params"]]

    def _each(self):
        """(parameter, its manifold, state, group) for all parameters."""
        return [(p, self.manifold_of(p), self.state[p], group) for group in self.param_groups for p in group["params"]]

    def _log_prob(self, closure):
        """The log probability; its gradients replace those of the parameters."""
        for p in self._parameters():
            p.grad = None
        with torch.enable_grad():
            log_prob = closure()
            log_prob.backward()
        for p in self._parameters():
            if p.grad is None:
                p.grad = torch.zeros_like(p)
        return log_prob.item()

    def _record(self, log_prob):
        if not self.burnin:
            self.steps += 1
            self.log_probs.append(log_prob)


def tangent_noise(manifold, x):
    """A standard normal tangent vector at x."""
    if ismanifold(manifold, ProductManifold):
        parts = zip(manifold.manifolds, manifold.unpack_tensor(x))
        return manifold.pack_point(*(tangent_noise(factor, part) for factor, part in parts))
    noise = torch.randn_like(x)
    if ismanifold(manifold, Stereographic):
        return noise / manifold.lambda_x(x, keepdim=True)
    return manifold.proju(x, noise)
