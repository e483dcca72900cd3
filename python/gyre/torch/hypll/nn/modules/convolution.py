"""Convolutions."""

import torch

from gyre.torch.hypll.manifolds.base.manifold import pair
from gyre.torch.hypll.tensors import ManifoldTensor
from gyre.torch.hypll.utils.layer_utils import check_if_man_dims_match, check_if_manifolds_match

__all__ = ["HConvolution2d"]


class HConvolution2d(torch.nn.Module):
    """2-d convolution of the points [n, in_channels, height, width], whose coordinates are the channels: a fully
    connected layer of the concatenated points of each window. id_init: weights begin as half the identity matrix if
    they have at least as many columns as rows."""

    def __init__(self, in_channels, out_channels, kernel_size, manifold, bias=True, stride=1, padding=0, id_init=True):
        super().__init__()
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, pair(kernel_size)
        self.kernel_vol = self.kernel_size[0] * self.kernel_size[1]
        self.manifold, self.has_bias, self.id_init = manifold, bias, id_init
        self.stride, self.padding = stride, padding
        self.weights, self.bias = manifold.construct_dl_parameters(self.kernel_vol * in_channels, out_channels, bias)
        self.reset_parameters()

    def reset_parameters(self):
        """Initialises weights and bias again."""
        self.manifold.reset_parameters(self.weights, self.bias, self.id_init)

    def forward(self, x):
        check_if_manifolds_match(self, x)
        check_if_man_dims_match(self, 1, x)
        height, width = ((size + 2 * padding - kernel) // stride + 1 for size, padding, kernel, stride in zip(
            x.size()[2:], pair(self.padding), self.kernel_size, pair(self.stride)))
        windows = self.manifold.unfold(x, self.kernel_size, padding=self.padding, stride=self.stride)
        y = self.manifold.fully_connected(windows, self.weights, self.bias)
        return ManifoldTensor(y.tensor.unflatten(2, (height, width)), y.manifold, man_dim=1)
