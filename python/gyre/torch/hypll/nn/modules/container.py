"""Modules of tangent vectors."""

import torch

from gyre.torch.hypll.utils.layer_utils import check_if_manifolds_match, op_in_tangent_space

__all__ = ["TangentSequential"]


class TangentSequential(torch.nn.Module):
    """A torch.nn.Sequential applied to tangent vectors at the origin."""

    def __init__(self, seq, manifold):
        super().__init__()
        self.seq, self.manifold = seq, manifold

    def forward(self, input):
        check_if_manifolds_match(self, input)
        return op_in_tangent_space(self.seq, self.manifold, input)
