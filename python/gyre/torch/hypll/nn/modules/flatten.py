"""Shapes."""

import torch

__all__ = ["HFlatten"]


class HFlatten(torch.nn.Module):
    """Joins the dimensions start_dim, ..., end_dim as ManifoldTensor.flatten."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, x):
        return x.flatten(self.start_dim, self.end_dim)
