"""HypLL's interface, computed by gyre: layers on the Poincaré ball, tensors on manifolds and Riemannian optimisers.

    import gyre.torch.hypll.nn as hnn
    from gyre.torch.hypll.manifolds.poincare_ball import Curvature, PoincareBall
    from gyre.torch.hypll.tensors import TangentTensor

    ball = PoincareBall(c=Curvature(1.0))
    layer = hnn.HLinear(8, 3, manifold=ball)
    y = layer(ball.expmap(TangentTensor(torch.randn(5, 8), manifold=ball)))

Modules have HypLL's names. docs/hypll.md lists the differences from HypLL.
"""

from gyre.torch import _import_as
from gyre.torch.hypll import manifolds, nn, optim, tensors, utils
from gyre.torch.hypll.manifolds import euclidean, poincare_ball

__all__ = ["manifolds", "nn", "optim", "tensors", "utils"]

_import_as.install("hypll", __name__)
tensors.allow_loading([euclidean.Euclidean, poincare_ball.PoincareBall, poincare_ball.Curvature])
