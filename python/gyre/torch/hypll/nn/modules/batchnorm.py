"""Batch normalisation. (Lou et al. 2020, "Differentiating through the Fréchet mean".)"""

import torch

from gyre.torch.hypll.tensors import ManifoldTensor, TangentTensor
from gyre.torch.hypll.utils.layer_utils import check_if_manifolds_match

__all__ = ["HBatchNorm", "HBatchNorm2d"]


class HBatchNorm(torch.nn.Module):
    """Moves the mean of the points [n, features] to exp0(bias) and scales their variance to `weight`, with the
    statistics of the batch, in evaluation as well. The mean is the Fréchet mean, or with use_midpoint the midpoint."""

    def __init__(self, features, manifold, use_midpoint=False):
        super().__init__()
        self.features, self.manifold, self.use_midpoint = features, manifold, use_midpoint
        self.bias = torch.nn.Parameter(torch.zeros(features))
        self.weight = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        check_if_manifolds_match(self, x)
        center = self.manifold.expmap(TangentTensor(self.bias, manifold=self.manifold))
        mean = (self.manifold.midpoint if self.use_midpoint else self.manifold.frechet_mean)(x, batch_dim=0)
        variance = self.manifold.frechet_variance(x, mu=mean, batch_dim=0)
        vectors = self.manifold.transp(self.manifold.logmap(mean, x), center)
        vectors.tensor = (self.weight / (variance + 1e-6)).sqrt() * vectors.tensor
        return self.manifold.expmap(vectors)


class HBatchNorm2d(torch.nn.Module):
    """HBatchNorm of the points [n, features, height, width], whose coordinates are the features."""

    def __init__(self, features, manifold, use_midpoint=False):
        super().__init__()
        self.features, self.manifold, self.use_midpoint = features, manifold, use_midpoint
        self.norm = HBatchNorm(features, manifold, use_midpoint)

    def forward(self, x):
        check_if_manifolds_match(self, x)
        last = x.tensor.movedim(1, -1)
        rows = self.norm(ManifoldTensor(last.flatten(0, -2), x.manifold))
        return ManifoldTensor(rows.tensor.reshape(last.shape).movedim(-1, 1), x.manifold, man_dim=1)
