"""Sets of points: the coordinates are along vec_dim (man_dim), the points along batch_dim, one dimension or several."""

import gyre.torch
from gyre.torch.geoopt.manifolds.stereographic import math as stereographic

__all__ = ["frechet_mean", "frechet_variance", "midpoint"]


def frechet_mean(x, c, vec_dim=-1, batch_dim=0, keepdim=False):
    """Fréchet mean, the point with the least mean squared distance."""
    return _reduced(gyre.torch.poincare_frechet_mean, x, c, vec_dim, batch_dim, None, keepdim)


def midpoint(x, c, man_dim=-1, batch_dim=0, w=None, keepdim=False):
    """Gyromidpoint with weights w that broadcast with x, equal ones if None."""
    return _reduced(gyre.torch.poincare_midpoint, x, c, man_dim, batch_dim, w, keepdim)


def frechet_variance(x, c, mu=None, vec_dim=-1, batch_dim=0, keepdim=False):
    """Mean squared distance from mu, the Fréchet mean if None."""
    dims = _dims(batch_dim, x.dim())
    if mu is None:
        mu = frechet_mean(x, c, vec_dim, dims, keepdim=True)
    for dim in dims if mu.dim() < x.dim() else ():
        mu = mu.unsqueeze(dim)
    square = stereographic.dist2(x, mu, k=-c, dim=vec_dim, keepdim=True).mean(dims, keepdim=True)
    return square if keepdim else square.squeeze((*dims, vec_dim))


def _dims(batch_dim, rank):
    return sorted(dim % rank for dim in ([batch_dim] if isinstance(batch_dim, int) else batch_dim))


def _reduced(op, x, c, vec_dim, batch_dim, weights, keepdim):
    """The op on rows of points, of which it makes one."""
    dims, vec_dim = _dims(batch_dim, x.dim()), vec_dim % x.dim()
    order = (*(d for d in range(x.dim()) if d not in (*dims, vec_dim)), *dims, vec_dim)
    weights = x.new_ones(()) if weights is None else weights
    weights = weights.expand([1 if d == vec_dim else n for d, n in enumerate(x.shape)])
    x, weights = (t.permute(order).flatten(-1 - len(dims), -2) for t in (x, weights))
    result = op(x, weights.squeeze(-1), c.to(x.dtype))
    for dim in dims:
        result = result.unsqueeze(-2)
    result = result.permute([order.index(d) for d in range(len(order))])
    return result if keepdim else result.squeeze(dims)
