"""Checks of tensors on manifolds."""

import torch

__all__ = ["check_dims_with_broadcasting", "check_if_man_dims_match", "check_tangent_tensor_positions"]


def check_dims_with_broadcasting(*args):
    """The dimension of the coordinates after broadcasting; ValueError if shapes do not broadcast or it differs."""
    shapes = [x.size() for x in args]
    try:
        rank = len(torch.broadcast_shapes(*shapes))
    except RuntimeError:
        raise ValueError(f"expected shapes that broadcast, got {', '.join(str(tuple(s)) for s in shapes)}") from None
    found = [getattr(x, "broadcasted_man_dim", x.man_dim) + rank - x.dim() for x in args]
    if len(set(found)) > 1:
        raise ValueError(f"expected the same manifold dimension in all arguments, got "
                         f"{', '.join(map(str, found))} after broadcasting")
    return found[0]


def check_tangent_tensor_positions(*args):
    """ValueError unless all tangent vectors are at the same points."""
    points = [x.manifold_points for x in args]
    if all(p is None for p in points):
        return
    if any(p is None for p in points):
        raise ValueError("expected tangent vectors at the same points, got some at the origin and some at "
                         "manifold_points")
    size = torch.broadcast_shapes(*(x.size() for x in args))
    first, *others = (p.tensor.broadcast_to(size) for p in points)
    if not all(torch.equal(first, other) for other in others):
        raise ValueError("expected tangent vectors at the same points, got different manifold_points")


def check_if_man_dims_match(manifold_tensors):
    """ValueError unless all tensors have the same manifold dimension."""
    found = [x.man_dim for x in manifold_tensors]
    if len(set(found)) > 1:
        raise ValueError(f"expected the same manifold dimension in all tensors, got {', '.join(map(str, found))}")
