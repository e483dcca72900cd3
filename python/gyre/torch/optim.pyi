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
    def __init__(self, params: Any, lr: float = 0.001, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False) -> None: ...
class Adam(Optimizer):
    """Adam: value -= lr m̂ / (√v̂ + eps), with bias-corrected running averages m̂ of the gradient and
    v̂ of its square (Kingma and Ba 2015)
    """
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False) -> None: ...
class AdamW(Optimizer):
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019)"""
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.01, amsgrad: bool = False, maximize: bool = False) -> None: ...
class Lion(Optimizer):
    """Lion: steps of size lr along the sign of the interpolated momentum, with decoupled weight decay
    (Chen et al. 2023)
    """
    def __init__(self, params: Any, lr: float = 0.0001, beta1: float = 0.9, beta2: float = 0.99, weight_decay: float = 0.0, maximize: bool = False) -> None: ...
class Muon(Optimizer):
    """Muon: momentum orthogonalised by Newton-Schulz iterations for matrices, AdamW for other
    parameters and groups with use_muon = false (Jordan et al. 2024)
    """
    def __init__(self, params: Any, lr: float = 0.001, weight_decay: float = 0.1, momentum: float = 0.95, nesterov: bool = True, ns_a: float = 3.4445, ns_b: float = -4.775, ns_c: float = 2.0315, eps: float = 1e-07, ns_steps: int = 5, adjust_lr: Any = 'original', ns_dtype: Any = 'f32', momentum_warmup: int = 0, parts: Any = (), use_muon: bool = True, adamw_lr_ratio: float = 0.25, beta1: float = 0.9, beta2: float = 0.95, adamw_eps: float = 1e-08, maximize: bool = False) -> None: ...
class RMSprop(Optimizer):
    """RMSprop: value -= lr g / (√v + eps) with the running average v of squared gradients (Hinton
    2012), optionally centered and with momentum (Graves 2013)
    """
    def __init__(self, params: Any, lr: float = 0.01, alpha: float = 0.99, eps: float = 1e-08, weight_decay: float = 0.0, momentum: float = 0.0, centered: bool = False, maximize: bool = False) -> None: ...
class Adagrad(Optimizer):
    """Adagrad: value -= lr g / (√sum + eps) with the sum of all squared gradients (Duchi et al. 2011)
    """
    def __init__(self, params: Any, lr: float = 0.01, lr_decay: float = 0.0, weight_decay: float = 0.0, initial_accumulator_value: float = 0.0, eps: float = 1e-10, maximize: bool = False) -> None: ...
class Adadelta(Optimizer):
    """Adadelta: steps as large as the average of earlier steps, relative to the average size of the
    gradient (Zeiler 2012)
    """
    def __init__(self, params: Any, lr: float = 1.0, rho: float = 0.9, eps: float = 1e-06, weight_decay: float = 0.0, maximize: bool = False) -> None: ...
class Adamax(Optimizer):
    """Adamax: Adam with a decaying maximum of the gradient's size in place of the root of its second
    moment (Kingma and Ba 2015)
    """
    def __init__(self, params: Any, lr: float = 0.002, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, maximize: bool = False) -> None: ...
class NAdam(Optimizer):
    """NAdam: Adam with Nesterov momentum (Dozat 2016)"""
    def __init__(self, params: Any, lr: float = 0.002, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, momentum_decay: float = 0.004, decoupled_weight_decay: bool = False, maximize: bool = False) -> None: ...
class RAdam(Optimizer):
    """RAdam: Adam with a rectified learning rate in place of a warm-up (Liu et al. 2020)"""
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, decoupled_weight_decay: bool = False, maximize: bool = False) -> None: ...
class ASGD(Optimizer):
    """averaged SGD: SGD with a decaying rate, and the average of the values as state (Polyak and
    Juditsky 1992)
    """
    def __init__(self, params: Any, lr: float = 0.01, lambd: float = 0.0001, alpha: float = 0.75, t0: float = 1000000.0, weight_decay: float = 0.0, maximize: bool = False) -> None: ...
class Rprop(Optimizer):
    """Rprop, for gradients of whole datasets: steps that depend on the signs of the gradient only
    (Riedmiller and Braun 1993)
    """
    def __init__(self, params: Any, lr: float = 0.01, eta_minus: float = 0.5, eta_plus: float = 1.2, min_step: float = 1e-06, max_step: float = 50.0, maximize: bool = False) -> None: ...
class Adafactor(Optimizer):
    """Adafactor: squared gradients averaged by rows and columns of matrices, and steps relative to the
    size of the parameter (Shazeer and Stern 2018)
    """
    def __init__(self, params: Any, lr: float = 0.01, beta2_decay: float = -0.8, eps1: float = 0.0, eps2: float = 0.001, d: float = 1.0, weight_decay: float = 0.0, maximize: bool = False) -> None: ...
class RiemannianSGD(Optimizer):
    """Riemannian SGD (Bonnabel 2013): manifold parameters move along geodesics by the Riemannian
    gradient or a parallel-transported velocity; others as SGD
    """
    def __init__(self, params: Any, lr: float = 0.001, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False, sparse: bool = False) -> None: ...
class RiemannianAdam(Optimizer):
    """Riemannian Adam (Bécigneul and Ganea 2019): manifold parameters move along geodesics, with
    parallel-transported first moment and one second moment per row; others as Adam
    """
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, amsgrad: bool = False, maximize: bool = False, sparse: bool = False) -> None: ...
class HybridOptimizer(Optimizer):
    """packed tensors by their words, or by f32 weights beside them; all others by AdamW"""
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.01, mode: Any = 'shadow', reencode_every: int = 10, lr_words: float = 1.0, flips: int = 4, dead_zone: float = 0.0) -> None: ...
