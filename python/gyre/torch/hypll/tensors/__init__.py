"""Points on manifolds and tangent vectors: a tensor, its manifold and the dimension of the coordinates."""

import torch

from gyre.torch.hypll.tensors.manifold_parameter import ManifoldParameter
from gyre.torch.hypll.tensors.manifold_tensor import ManifoldTensor
from gyre.torch.hypll.tensors.tangent_tensor import TangentTensor

__all__ = ["ManifoldParameter", "ManifoldTensor", "TangentTensor"]


def allow_loading(manifolds):
    """Lets torch.load(weights_only=True) read points on these manifolds, which state dicts contain."""
    torch.serialization.add_safe_globals(
        [ManifoldTensor, ManifoldParameter, TangentTensor, *manifolds, set, torch.nn.functional.softplus])
