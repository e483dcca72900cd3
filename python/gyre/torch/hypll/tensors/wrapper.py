"""What all tensors on manifolds share."""

import torch

__all__ = ["Wrapper", "canonical_dim"]


class Wrapper:
    """Holds a tensor in `tensor`. Its attributes, such as dtype, are those of the tensor; its methods and PyTorch's
    functions are refused, since their results need not be on the manifold."""

    def __getattr__(self, name):
        if name == "tensor" or name.startswith("__"):  # not set yet, as in copies
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        try:
            value = getattr(self.tensor, name)
        except AttributeError:
            raise AttributeError(f"neither {type(self).__name__} nor torch.Tensor has an attribute {name!r}") from None
        if callable(value):
            raise AttributeError(f"{type(self).__name__} has no method {name!r}: the result need not be on the "
                                 f"manifold; use .tensor.{name}")
        return value

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", func)
        raise TypeError(f"{name}: expected a torch.Tensor, got a {cls.__name__}; pass its .tensor")

    def dim(self):
        """The number of dimensions."""
        return len(self.size())

    def __repr__(self):
        return f"{type(self).__name__}({self.tensor}, man_dim={self.man_dim}, manifold={self.manifold})"


def as_tensor(data, requires_grad):
    """`data` as a tensor, a new leaf that shares its memory if it shall require gradients and does not."""
    tensor = data if isinstance(data, torch.Tensor) else torch.tensor(data)
    return tensor.detach().requires_grad_() if requires_grad and not tensor.requires_grad else tensor


def canonical_dim(dim, dims, what="man_dim"):
    """The dimension counted from the start; ValueError if there is no such dimension."""
    if not -dims <= dim < dims:
        raise ValueError(f"expected {what} from {-dims} to {dims - 1} for a tensor of {dims} dimensions, got {dim}")
    return dim % dims
