"""Layers on manifolds."""

from gyre.torch.hypll.nn.modules.activation import HReLU
from gyre.torch.hypll.nn.modules.batchnorm import HBatchNorm, HBatchNorm2d
from gyre.torch.hypll.nn.modules.change_manifold import ChangeManifold
from gyre.torch.hypll.nn.modules.container import TangentSequential
from gyre.torch.hypll.nn.modules.convolution import HConvolution2d
from gyre.torch.hypll.nn.modules.embedding import HEmbedding
from gyre.torch.hypll.nn.modules.flatten import HFlatten
from gyre.torch.hypll.nn.modules.fold import HUnfold
from gyre.torch.hypll.nn.modules.linear import HLinear
from gyre.torch.hypll.nn.modules.pooling import HAvgPool2d, HMaxPool2d

__all__ = ["ChangeManifold", "HAvgPool2d", "HBatchNorm", "HBatchNorm2d", "HConvolution2d", "HEmbedding", "HFlatten",
           "HLinear", "HMaxPool2d", "HReLU", "HUnfold", "TangentSequential"]
