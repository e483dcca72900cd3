# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Optimizer:
    """An optimiser of the table on PyTorch's parameters, in groups with their own options."""
    def __init__(self, params: Any, defaults: Any) -> None: ...
    def add_param_group(self, group: Any) -> Any:
        """Add a param group to the :class:`Optimizer` s `param_groups`."""
    def step(self, closure: Any = None) -> Any:
        """Updates the parameters that have a gradient. `closure` recomputes and returns the loss."""
    def load_state_dict(self, state_dict: Any) -> Any:
        """Restores the result of state_dict(); dtypes do not change. The groups must have the same sizes
        and options, the parameters the same shapes; otherwise an error is raised and nothing changes.
        """
    def __getattr__(self, name: str, /) -> Any: ...
class SGD(Optimizer):
    """stochastic gradient descent with optional (Nesterov) momentum: value -= lr v"""
    def __init__(self, params: Any, lr: float = 0.001, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False) -> None: ...
class Adam(Optimizer):
    """Adam: value -= lr m̂ / (√v̂ + eps), with bias-corrected running averages m̂ of the gradient and
    v̂ of its square (Kingma and Ba 2015)
    """
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, amsgrad: bool = False) -> None: ...
class AdamW(Optimizer):
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019)"""
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.01, amsgrad: bool = False) -> None: ...
class Lion(Optimizer):
    """Lion: steps of size lr along the sign of the interpolated momentum, with decoupled weight decay
    (Chen et al. 2023)
    """
    def __init__(self, params: Any, lr: float = 0.0001, beta1: float = 0.9, beta2: float = 0.99, weight_decay: float = 0.0) -> None: ...
class Muon(Optimizer):
    """Muon: momentum orthogonalised by Newton-Schulz iterations for matrices, AdamW for other
    parameters and groups with use_muon = false (Jordan et al. 2024)
    """
    def __init__(self, params: Any, lr: float = 0.02, momentum: float = 0.95, momentum_warmup: int = 300, nesterov: bool = True, weight_decay: float = 0.01, ns_steps: int = 5, ns_dtype: Any = 'f32', adjust_lr: Any = 'original', eps: float = 1e-07, parts: Any = (), use_muon: bool = True, adamw_lr_ratio: float = 0.25, beta1: float = 0.9, beta2: float = 0.95, adamw_eps: float = 1e-08) -> None: ...
class RiemannianSGD(Optimizer):
    """Riemannian SGD (Bonnabel 2013): manifold parameters move along geodesics by the Riemannian
    gradient or a parallel-transported velocity; others as SGD
    """
    def __init__(self, params: Any, lr: float = 0.001, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False, sparse: bool = False) -> None: ...
class RiemannianAdam(Optimizer):
    """Riemannian Adam (Bécigneul and Ganea 2019): manifold parameters move along geodesics, with
    parallel-transported first moment and one second moment per row; others as Adam
    """
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, amsgrad: bool = False, sparse: bool = False) -> None: ...
class HybridOptimizer(Optimizer):
    """packed tensors by their words, or by f32 weights beside them; all others by AdamW"""
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.01, mode: Any = 'shadow', reencode_every: int = 10, lr_words: float = 1.0, flips: int = 4, dead_zone: float = 0.0) -> None: ...
