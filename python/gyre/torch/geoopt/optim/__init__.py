"""Riemannian optimisers. They move a ManifoldParameter along its manifold and update other parameters as in
Euclidean space."""

from gyre.torch.geoopt.optim import mixin, radam, rlinesearch, rsgd
from gyre.torch.geoopt.optim.radam import RiemannianAdam, SparseRiemannianAdam
from gyre.torch.geoopt.optim.rlinesearch import RiemannianLineSearch
from gyre.torch.geoopt.optim.rsgd import RiemannianSGD, SparseRiemannianSGD

__all__ = ["RiemannianAdam", "RiemannianLineSearch", "RiemannianSGD", "SparseRiemannianAdam", "SparseRiemannianSGD",
           "mixin", "radam", "rlinesearch", "rsgd"]
