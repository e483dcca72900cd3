"""Riemannian Hamiltonian Monte Carlo."""

import math

import torch

from gyre.torch.geoopt.samplers.base import Sampler, tangent_noise

__all__ = ["RHMC"]


class RHMC(Sampler):
    """Hamiltonian dynamics of n_steps leapfrog steps of size epsilon, accepted or rejected. (Neal, "MCMC using
    Hamiltonian dynamics", 2011.)"""

    _moment = "r"

    def __init__(self, params, epsilon=1e-3, n_steps=1):
        super().__init__(params, dict(epsilon=epsilon))
        self.n_steps = n_steps

    def _kick(self, p, r, epsilon):
        r.add_(self.manifold_of(p).egrad2rgrad(p, p.grad), alpha=epsilon)

    def _step(self, p, r, epsilon):
        """A change of the momentum r by the gradient, then of the point p by the momentum."""
        self._kick(p, r, epsilon)
        for tensor, moved in zip((p, r), self.manifold_of(p).retr_transp(p, epsilon * r, r)):
            tensor.copy_(moved)

    def _energy(self, log_prob):
        kinetic = sum(manifold.inner(p, state["r"]).sum().item() for p, manifold, state, _ in self._each())
        return 0.5 * kinetic - log_prob

    @torch.no_grad()
    def step(self, closure):
        before = self._log_prob(closure)
        for p, manifold, state, group in self._each():
            state["old_p"], state["r"] = p.clone(), tangent_noise(manifold, p)
        energy = self._energy(before)
        for p, _, state, group in self._each():
            self._kick(p, state["r"], -0.5 * group["epsilon"])  # leapfrog begins with half a change
        for _ in range(self.n_steps):
            for p, _, state, group in self._each():
                self._step(p, state["r"], group["epsilon"])
            after = self._log_prob(closure)
        for p, _, state, group in self._each():
            self._kick(p, state["r"], 0.5 * group["epsilon"])
        accepted = math.exp(min(0.0, energy - self._energy(after)))
        rejected = torch.rand(()).item() >= accepted
        if rejected:
            for p, _, state, _ in self._each():
                p.copy_(state["old_p"])
        if not self.burnin:
            self.n_rejected += rejected
            self.acceptance_probs.append(accepted)
        self._record(before if rejected else after)
