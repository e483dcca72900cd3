"""Fully connected layers."""

import torch

from gyre.torch.hypll.utils.layer_utils import check_if_man_dims_match, check_if_manifolds_match

__all__ = ["HLinear"]


class HLinear(torch.nn.Module):
    """The manifold's fully connected layer of points [..., in_features], with weights z [in_features, out_features]."""

    def __init__(self, in_features, out_features, manifold, bias=True):
        super().__init__()
        self.in_features, self.out_features, self.manifold, self.has_bias = in_features, out_features, manifold, bias
        self.z, self.bias = manifold.construct_dl_parameters(in_features, out_features, bias)
        self.reset_parameters()

    def reset_parameters(self):
        """Initialises weights and bias again."""
        self.manifold.reset_parameters(self.z, self.bias)

    def forward(self, x):
        check_if_manifolds_match(self, x)
        check_if_man_dims_match(self, -1, x)
        return self.manifold.fully_connected(x, self.z, self.bias)
