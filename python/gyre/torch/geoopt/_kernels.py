"""Calls of gyre's ops with geoopt's broadcasting."""

import functools

import torch

import gyre.torch


def common_dtype(tensors, k):
    """The dtype of a result; as in PyTorch a scalar k changes it only from integers."""
    dtype = functools.reduce(torch.promote_types, (t.dtype for t in tensors))
    return torch.promote_types(dtype, k.dtype) if k.dim() or not dtype.is_floating_point else dtype


def call(name, vectors, c, dim, per_row=(), **options):
    """gyre's op on vectors along `dim` with curvature -c. c and the tensors per_row have size 1 along dim, or are
    scalars; all broadcast against the vectors."""
    dtype = common_dtype(vectors, c)
    axis = dim if dim < 0 else dim - max(v.dim() for v in vectors)
    vectors = [v.to(dtype) for v in vectors]
    scalars = [s.to(dtype) for s in (*per_row, c)]
    if any(s.dim() for s in scalars):
        rows = _rows([v.shape for v in vectors], [s.shape for s in scalars], axis)
        # gyre takes one number per row of the broadcast vectors
        size = vectors[0].shape[axis]
        vectors[0] = vectors[0].expand(*(size if i == len(rows) + axis else n for i, n in enumerate(rows)))
        scalars = [s.expand(rows).squeeze(axis) if s.dim() else s for s in scalars]
    return getattr(gyre.torch, name)(*vectors, *scalars, axis=axis, **options)


def _rows(vectors, scalars, axis):
    shapes = [(*shape[:len(shape) + axis], 1, *shape[len(shape) + axis + 1:]) for shape in vectors]
    rows = torch.broadcast_shapes(*shapes, *scalars)
    if rows[axis] != 1:
        raise ValueError(f"expected one number per row, of size 1 along dim {axis}, got shapes "
                         f"{', '.join(str(tuple(s)) for s in scalars)}; unsqueeze them")
    return rows
