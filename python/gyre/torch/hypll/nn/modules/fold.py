"""Windows."""

import torch

from gyre.torch.hypll.utils.layer_utils import check_if_man_dims_match, check_if_manifolds_match

__all__ = ["HUnfold"]


class HUnfold(torch.nn.Module):
    """The points of each window, concatenated, as the manifold's unfold."""

    def __init__(self, kernel_size, manifold, dilation=1, padding=0, stride=1):
        super().__init__()
        self.kernel_size, self.manifold = kernel_size, manifold
        self.dilation, self.padding, self.stride = dilation, padding, stride

    def forward(self, input):
        check_if_manifolds_match(self, input)
        check_if_man_dims_match(self, 1, input)
        return self.manifold.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
