"""Checks of arguments and small functions that layers share."""

from gyre.torch.hypll.utils import layer_utils, math, tensor_utils

__all__ = ["layer_utils", "math", "tensor_utils"]
