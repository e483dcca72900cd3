"""The curvature of the Poincaré ball."""

import torch

__all__ = ["Curvature"]


class Curvature(torch.nn.Module):
    """The curvature is -c with c = constraining_strategy(value); `value` is a parameter, learned with requires_grad."""

    def __init__(self, value=1.0, constraining_strategy=torch.nn.functional.softplus, requires_grad=False):
        super().__init__()
        self.value = torch.nn.Parameter(torch.as_tensor(value, dtype=torch.float32), requires_grad)
        self.constraining_strategy = constraining_strategy

    def forward(self):
        """c."""
        return self.constraining_strategy(self.value)
