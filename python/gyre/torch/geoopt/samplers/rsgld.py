"""Riemannian stochastic gradient Langevin dynamics."""

import torch

from gyre.torch.geoopt.samplers.base import Sampler, tangent_noise

__all__ = ["RSGLD"]


class RSGLD(Sampler):
    """Langevin dynamics with step size epsilon. (Welling and Teh, "Bayesian learning via stochastic gradient Langevin
    dynamics", 2011.)"""

    def __init__(self, params, epsilon=1e-3):
        super().__init__(params, dict(epsilon=epsilon))

    @torch.no_grad()
    def step(self, closure):
        log_prob = self._log_prob(closure)
        for p, manifold, _, group in self._each():
            epsilon = group["epsilon"]
            drift = manifold.egrad2rgrad(p, 0.5 * epsilon * p.grad)
            p.copy_(manifold.retr(p, drift + epsilon ** 0.5 * tangent_noise(manifold, p)))
        self._record(log_prob)
