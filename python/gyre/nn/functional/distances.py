"""Distances, similarities and normalisation of vectors by PyTorch's names."""

import gyre


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """x1 . x2 / (|x1| |x2|) along dim; each norm is at least eps."""
    return gyre.cosine_similarity(*_broadcast(x1, x2), axis=dim, eps=eps)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """p-norm of x1 - x2 + eps along the last axis."""
    return gyre.norm(x1 - x2 + eps, axes=(-1,), keepdim=keepdim, p=p)


def pdist(input, p=2.0):
    """p-norm distances between all pairs of rows i < j."""
    first, second = gyre.nonzero(gyre.triu(gyre.ones((len(input), len(input))), diagonal=1)).T
    return gyre.norm(gyre.index_select(input, first) - gyre.index_select(input, second), axes=(-1,), p=p)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """x divided by its p-norm along dim, which is at least eps."""
    if out is not None:
        raise TypeError("normalize: gyre has no argument out; assign the result")
    length = gyre.norm(input, axes=dim if isinstance(dim, (tuple, list)) else (dim,), keepdim=True, p=p)
    return input / gyre.maximum(length, eps)


def _broadcast(x, y):
    shape = (x.detach() + y.detach()).shape if x.shape != y.shape else x.shape
    return gyre.expand(x, shape), gyre.expand(y, shape)
