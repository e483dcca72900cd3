"""Activations."""

import torch

from gyre.torch.hypll.utils.layer_utils import check_if_manifolds_match, op_in_tangent_space

__all__ = ["HReLU"]


class HReLU(torch.nn.Module):
    """ReLU of tangent vectors at the origin."""

    def __init__(self, manifold):
        super().__init__()
        self.manifold = manifold

    def forward(self, input):
        check_if_manifolds_match(self, input)
        return op_in_tangent_space(torch.relu, self.manifold, input)
