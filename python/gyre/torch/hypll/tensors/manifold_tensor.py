"""Points on a manifold."""

import torch

from gyre.torch.hypll.tensors.wrapper import Wrapper, as_tensor, canonical_dim

__all__ = ["ManifoldTensor"]


class ManifoldTensor(Wrapper):
    """Points of `manifold`: `tensor`, whose coordinates are along the dimension `man_dim`."""

    def __init__(self, data, manifold, man_dim=-1, requires_grad=False):
        self.tensor = as_tensor(data, requires_grad)
        self.manifold = manifold
        self.man_dim = canonical_dim(man_dim, self.tensor.dim())

    def _with(self, tensor, man_dim=None):
        return ManifoldTensor(tensor, self.manifold, self.man_dim if man_dim is None else man_dim)

    def __getitem__(self, index):
        return self._with(self.tensor[index], self._man_dim_at(index if isinstance(index, tuple) else (index,)))

    def _man_dim_at(self, index):
        """The dimension of the coordinates after indexing."""
        sizes = [_sizes(i) for i in index]
        if sum(rank > 0 and not (i is None or isinstance(i, slice)) for i, (_, rank) in zip(index, sizes)) > 1:
            raise ValueError("expected at most one tensor or list in an index of points, got several; index one "
                             "dimension after the other")
        rest = self.dim() - sum(width for width, _ in sizes)
        result = at = 0
        for i, (width, rank) in zip(index, sizes):
            if i is Ellipsis:
                width = rank = rest
            if at <= self.man_dim < at + width:
                if i is Ellipsis or isinstance(i, slice):
                    break
                raise ValueError(f"expected a slice for dimension {self.man_dim}, which has the coordinates of the "
                                 f"points, got {i}")
            at, result = at + width, result + rank
        return result + self.man_dim - at

    def cpu(self):
        """The points in host memory."""
        return self._with(self.tensor.cpu())

    def cuda(self, device=None):
        """The points on a CUDA device."""
        return self._with(self.tensor.cuda(device))

    def to(self, *args, **kwargs):
        """The points with another device or dtype, as torch.Tensor.to."""
        return self._with(self.tensor.to(*args, **kwargs))

    def detach(self):
        """The points without their graph."""
        return self._with(self.tensor.detach())

    def is_floating_point(self):
        """Whether the dtype is one of floating-point numbers."""
        return self.tensor.is_floating_point()

    @property
    def shape(self):
        """The sizes of all dimensions."""
        return self.size()

    def size(self, dim=None):
        """The sizes of all dimensions, or that of one."""
        return self.tensor.size() if dim is None else self.tensor.size(dim)

    def flatten(self, start_dim=0, end_dim=-1):
        """Joins dimensions, as manifold.flatten."""
        return self.manifold.flatten(self, start_dim=start_dim, end_dim=end_dim)

    def project(self):
        """Projects the points onto the manifold."""
        return self.manifold.project(x=self)

    def squeeze(self, dim=None):
        """Without the dimensions of size 1, or without one of them; ValueError for that of the coordinates."""
        dims = range(self.dim()) if dim is None else [canonical_dim(dim, self.dim(), "dim")]
        removed = [d for d in dims if self.size(d) == 1]
        if self.man_dim in removed or dim is not None and self.man_dim in dims:
            raise ValueError(f"expected dimensions other than {self.man_dim}, which has the coordinates of the points")
        return self._with(self.tensor.squeeze(removed), self.man_dim - sum(d < self.man_dim for d in removed))

    def unsqueeze(self, dim):
        """With a dimension of size 1 inserted at dim."""
        dim = canonical_dim(dim, self.dim() + 1, "dim")
        return self._with(self.tensor.unsqueeze(dim), self.man_dim + (dim <= self.man_dim))

    def transpose(self, dim0, dim1):
        """With two dimensions swapped."""
        first, second = (canonical_dim(dim, self.dim(), "dim") for dim in (dim0, dim1))
        man_dim = {first: second, second: first}.get(self.man_dim, self.man_dim)
        return self._with(self.tensor.transpose(first, second), man_dim)


def _sizes(index):
    """The number of dimensions that an element of an index selects from, and that of the selection."""
    if index is None or index is Ellipsis:  # Ellipsis selects from what the others leave
        return 0, int(index is None)
    if isinstance(index, slice):
        return 1, 1
    array = torch.as_tensor(index)
    return (array.dim(), 1) if array.dtype == torch.bool else (1, array.dim())
