"""Functions of numbers."""

import torch

__all__ = ["beta_func"]


def beta_func(a, b):
    """Euler's beta function B(a, b) of numbers or tensors; a float for numbers."""
    x, y = (v if isinstance(v, torch.Tensor) else torch.tensor(v, dtype=torch.float64) for v in (a, b))
    value = torch.exp(torch.lgamma(x) + torch.lgamma(y) - torch.lgamma(x + y))
    return value if isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor) else value.item()
