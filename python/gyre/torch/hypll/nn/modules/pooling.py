"""Pooling of the points [n, channels, height, width], whose coordinates are the channels."""

import torch

from gyre.torch.hypll.manifolds.base.manifold import pair
from gyre.torch.hypll.tensors import ManifoldTensor
from gyre.torch.hypll.utils.layer_utils import check_if_man_dims_match, check_if_manifolds_match

__all__ = ["HAvgPool2d", "HMaxPool2d"]


class HAvgPool2d(torch.nn.Module):
    """The Fréchet mean of each window, or with use_midpoint its midpoint. As in HypLL, the points are scaled as by
    the manifold's unfold."""

    def __init__(self, kernel_size, manifold, stride=None, padding=0, use_midpoint=False):
        super().__init__()
        self.kernel_size, self.manifold, self.use_midpoint = pair(kernel_size), manifold, use_midpoint
        self.stride = self.kernel_size if stride is None else pair(stride)
        self.padding = pair(padding)

    def forward(self, input):
        check_if_manifolds_match(self, input)
        check_if_man_dims_match(self, 1, input)
        height, width = ((size + 2 * padding - kernel) // stride + 1 for size, padding, kernel, stride in zip(
            input.size()[2:], self.padding, self.kernel_size, self.stride))
        windows = self.manifold.unfold(input, self.kernel_size, padding=self.padding, stride=self.stride)
        points = ManifoldTensor(windows.tensor.unflatten(1, (input.size(1), -1)), self.manifold, man_dim=1)
        mean = (self.manifold.midpoint if self.use_midpoint else self.manifold.frechet_mean)(points, batch_dim=2)
        return ManifoldTensor(mean.tensor.unflatten(2, (height, width)), self.manifold, man_dim=1)


class HMaxPool2d(torch.nn.Module):
    """Max pooling of tangent vectors at the origin; return_indices: (points, indices)."""

    def __init__(self, kernel_size, manifold, stride=None, padding=0, dilation=1, return_indices=False,
                 ceil_mode=False):
        super().__init__()
        self.kernel_size, self.manifold = kernel_size, manifold
        self.stride = kernel_size if stride is None else stride
        self.padding, self.dilation, self.return_indices, self.ceil_mode = padding, dilation, return_indices, ceil_mode

    def forward(self, input):
        check_if_manifolds_match(self, input)
        vectors = self.manifold.logmap(None, input)
        vectors.tensor, indices = torch.nn.functional.max_pool2d(
            vectors.tensor, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
            return_indices=True)
        points = self.manifold.expmap(vectors)
        return (points, indices) if self.return_indices else points
