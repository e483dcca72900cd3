"""Parameters on a manifold."""

import copy

import torch

from gyre.torch.hypll.tensors.manifold_tensor import ManifoldTensor

__all__ = ["ManifoldParameter"]


class ManifoldParameter(ManifoldTensor, torch.nn.Parameter):
    """A parameter whose points are on `manifold`; `tensor` is the torch.nn.Parameter that has them and their gradient.
    Modules register it, and the optimisers of gyre.torch.hypll.optim move it along the manifold."""

    # methods that modules call with their parameters, applied to `tensor`
    _APPLIED = frozenset([
        torch._has_compatible_shallow_copy_type, torch.Tensor.copy_, torch.Tensor.requires_grad_, torch.Tensor.float,
        torch.Tensor.double, torch.Tensor.half, torch.Tensor.bfloat16, torch.Tensor.share_memory_])

    def __new__(cls, data, manifold, man_dim=-1, requires_grad=True):
        return torch.nn.Parameter.__new__(cls)

    def __init__(self, data, manifold, man_dim=-1, requires_grad=True):
        super().__init__(data, manifold, man_dim)
        if not isinstance(data, torch.nn.Parameter):
            self.tensor = torch.nn.Parameter(self.tensor, requires_grad)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        # PyTorch's attributes of tensors are the slots __get__ and __set__ of descriptors
        if type(func).__name__ != "method-wrapper" and func not in cls._APPLIED:
            return super().__torch_function__(func, types, args, kwargs)
        args = [a.tensor if isinstance(a, ManifoldTensor) else a for a in args]
        return func(*args, **(kwargs or {}))

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = type(self)(copy.deepcopy(self.tensor, memo), copy.deepcopy(self.manifold, memo),
                                        self.man_dim)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return type(self), (self.tensor, self.manifold, self.man_dim)
