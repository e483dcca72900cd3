"""Shapes and small functions of geoopt's public interface."""

import reprlib

import math

import torch

__all__ = [
    "broadcast_shapes", "canonical_dims", "canonical_manifold", "clamp_abs", "drop_dims", "idx2sign", "ismanifold",
    "list_range", "make_tuple", "prod", "sabs", "sign", "size2shape", "strip_tuple"]


def strip_tuple(values):
    """The only element of a tuple, or a longer tuple unchanged."""
    return values[0] if len(values) == 1 else values


def make_tuple(value):
    """A list or a single value as a tuple."""
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def size2shape(*size):
    """The shape given as separate sizes or as one tuple."""
    return make_tuple(strip_tuple(size))


def broadcast_shapes(*shapes):
    """The common shape of tensors with the given shapes; ValueError if there is none."""
    try:
        return tuple(torch.broadcast_shapes(*shapes))
    except RuntimeError as error:
        raise ValueError(f"expected shapes that broadcast, got {', '.join(str(tuple(s)) for s in shapes)}") from error


prod = math.prod


def sign(x):
    """1 for x >= 0, -1 for x < 0."""
    return torch.where(x < 0, -torch.ones_like(x), torch.ones_like(x))


def sabs(x, eps=1e-15):
    """|x| + eps."""
    return x.abs() + eps


def clamp_abs(x, eps=1e-15):
    """x with its absolute value increased by eps."""
    return x + eps * sign(x)


def idx2sign(idx, dim, neg=True):
    """The index of a dimension, counted from the end of `dim` dimensions (neg) or from the start."""
    if neg:
        return idx if idx < 0 else (idx + 1) % -(dim + 1)
    return idx % dim


def canonical_dims(dims, maxdim):
    """Indices of dimensions, counted from the start."""
    return [dim % maxdim for dim in dims]


def drop_dims(tensor, dims):
    """The tensor without the given dimensions of size 1."""
    return tensor.squeeze(tuple(dims))


def list_range(end):
    """[0, ..., end - 1]."""
    return list(range(end))


def canonical_manifold(manifold):
    """The manifold inside any number of Scaled."""
    from gyre.torch.geoopt.manifolds.scaled import Scaled
    while isinstance(manifold, Scaled):
        manifold = manifold.base
    return manifold


def ismanifold(instance, cls):
    """isinstance for manifolds that looks inside Scaled."""
    from gyre.torch.geoopt.manifolds.base import Manifold
    if not (isinstance(cls, type) and issubclass(cls, Manifold)):
        raise TypeError(f"expected a subclass of Manifold, got {reprlib.repr(cls)}")
    return isinstance(instance, Manifold) and isinstance(canonical_manifold(instance), cls)
