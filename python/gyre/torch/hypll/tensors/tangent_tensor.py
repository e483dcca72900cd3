"""Tangent vectors."""

import torch

from gyre.torch.hypll.tensors.wrapper import Wrapper, as_tensor, canonical_dim

__all__ = ["TangentTensor"]


class TangentTensor(Wrapper):
    """Tangent vectors at `manifold_points`, at the origin if None: `tensor`, whose coordinates are along the dimension
    `man_dim`. The shapes of vectors and points broadcast."""

    def __init__(self, data, manifold_points=None, manifold=None, man_dim=-1, requires_grad=False):
        self.tensor = as_tensor(data, requires_grad)
        self.man_dim = canonical_dim(man_dim, self.tensor.dim())
        self.manifold_points = manifold_points
        if manifold_points is None:
            if manifold is None:
                raise ValueError("expected manifold_points or a manifold, got neither")
            self.manifold = manifold
            return
        self.manifold = manifold_points.manifold
        if manifold is not None and manifold != self.manifold:
            raise ValueError(f"expected points of the manifold {manifold}, got points of {self.manifold}")
        try:
            rank = self.dim()
        except RuntimeError:
            raise ValueError(f"expected shapes of points and vectors that broadcast, got "
                             f"{tuple(manifold_points.size())} and {tuple(self.tensor.size())}") from None
        of_points = manifold_points.man_dim + rank - manifold_points.dim()
        if of_points != self.broadcasted_man_dim:
            raise ValueError(f"expected coordinates of points and vectors along the same dimension, got {of_points} "
                             f"and {self.broadcasted_man_dim} after broadcasting")

    def size(self, dim=None):
        """The sizes of all dimensions after broadcasting with the points, or that of one."""
        points = () if self.manifold_points is None else self.manifold_points.size()
        size = torch.broadcast_shapes(self.tensor.size(), points)
        return size if dim is None else size[dim]

    @property
    def shape(self):
        """The sizes of all dimensions after broadcasting with the points."""
        return self.size()

    @property
    def broadcasted_man_dim(self):
        """The dimension of the coordinates after broadcasting with the points."""
        return self.man_dim + self.dim() - self.tensor.dim()

    def cpu(self):
        """Vectors and points in host memory."""
        return self._moved("cpu")

    def cuda(self, device=None):
        """Vectors and points on a CUDA device."""
        return self._moved("cuda", device)

    def to(self, *args, **kwargs):
        """Vectors and points with another device or dtype, as torch.Tensor.to."""
        return self._moved("to", *args, **kwargs)

    def _moved(self, method, *args, **kwargs):
        tensor, points = (None if x is None else getattr(x, method)(*args, **kwargs)
                          for x in (self.tensor, self.manifold_points))
        return TangentTensor(tensor, points, self.manifold, self.man_dim)
