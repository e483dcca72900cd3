"""Hyperplanes. (Shimizu, Mukuta and Harada 2021, "Hyperbolic neural networks++".)"""

import torch

import gyre.torch

__all__ = ["poincare_fully_connected", "poincare_hyperplane_dists"]

_SHORT = 1e-15  # a coordinate of the normal that takes the place of a zero one


def poincare_hyperplane_dists(x, z, r, c, dim=-1):
    """Signed distances of x to hyperplanes with normals z [d, planes] and offsets r [planes] or None, times twice the
    norms of the normals (equation 6)."""
    return _of_planes(gyre.torch.poincare_scores, x, z, r, c, dim, wide=True)


def poincare_fully_connected(x, z, bias, c, dim=-1):
    """Fully connected layer with weights z [in, out] and a bias [out] or None (equation 7)."""
    return _of_planes(gyre.torch.poincare_from_planes, x, z, bias, c, dim, wide=False)


def _of_planes(op, x, z, r, c, dim, wide):
    c = c.to(x.dtype)
    r = z.new_zeros(z.shape[1:]) if r is None else r
    space, time = gyre.torch.poincare_lift(x.movedim(dim, -1), c, wide=wide)
    # Distances have no gradient at a zero normal, with which many layers begin. As in HypLL
    # it gets that of a short one.
    short = torch.where(z.square().sum(0) == 0, z.new_full((), _SHORT), z)
    _, *planes = gyre.torch.poincare_planes(short.mT, r, c, wide=wide)
    return op(space @ z.to(space.dtype), *planes, time, c).movedim(-1, dim)
