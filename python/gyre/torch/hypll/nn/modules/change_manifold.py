"""From one manifold to another."""

import torch

__all__ = ["ChangeManifold"]


class ChangeManifold(torch.nn.Module):
    """Maps points to `target_manifold`: its exponential map of their logarithms, at the origins."""

    def __init__(self, target_manifold):
        super().__init__()
        self.target_manifold = target_manifold

    def forward(self, x):
        return self.target_manifold.expmap(x.manifold.logmap(None, x))
