"""Stochastic gradient Riemannian Hamiltonian Monte Carlo."""

import torch

from gyre.torch.geoopt.samplers.base import Sampler, tangent_noise

__all__ = ["SGRHMC"]


class SGRHMC(Sampler):
    """Hamiltonian dynamics with friction alpha, step size epsilon and n_steps + 1 steps per sample. (Chen, Fox,
    Guestrin, "Stochastic gradient Hamiltonian Monte Carlo", 2014.)"""

    _moment = "v"

    def __init__(self, params, epsilon=1e-3, n_steps=1, alpha=0.1):
        super().__init__(params, dict(epsilon=epsilon, alpha=alpha))
        self.n_steps = n_steps

    @torch.no_grad()
    def step(self, closure):
        for p, manifold, state, group in self._each():
            state["v"] = group["epsilon"] * tangent_noise(manifold, p)
        for _ in range(self.n_steps + 1):
            log_prob = self._log_prob(closure)
            for p, manifold, state, group in self._each():
                epsilon, alpha = group["epsilon"], group["alpha"]
                kick = epsilon * manifold.egrad2rgrad(p, p.grad)
                kick += (2 * alpha * epsilon) ** 0.5 * tangent_noise(manifold, p)
                point, state["v"] = manifold.retr_transp(p, state["v"], (1 - alpha) * state["v"] + kick)
                p.copy_(point)
        self._record(log_prob)
