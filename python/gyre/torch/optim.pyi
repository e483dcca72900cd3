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
    """An optimiser of gyre's table on parameters of PyTorch, in groups with options of their own."""
    def __init__(self, params: Any, defaults: Any) -> None: ...
    def add_param_group(self, group: Any) -> Any:
        """Add a param group to the :class:`Optimizer` s `param_groups`."""
    def step(self, closure: Any = None) -> Any:
        """Changes the parameters that have a gradient. `closure` computes the loss anew."""
    def load_state_dict(self, state_dict: Any) -> Any:
        """Sets what state_dict() gave; dtypes stay as they are. The groups must be of the same sizes and
        options, the parameters of the same shapes; if not, an error, and nothing has changed.
        """
    def __getattr__(self, name: str, /) -> Any: ...
class SGD(Optimizer):
    """lr times the gradient, or a velocity that gathers gradients, is taken off the value"""
    def __init__(self, params: Any, lr: float = 0.001, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False) -> None: ...
class Adam(Optimizer):
    """lr m^ / (sqrt(v^) + eps) is taken off the value, m^ and v^ being running means of the gradient
    and its square without their bias (Kingma and Ba 2015)
    """
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, amsgrad: bool = False) -> None: ...
class AdamW(Optimizer):
    """Adam whose weight decay does not pass through the running means (Loshchilov and Hutter 2019)"""
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.01, amsgrad: bool = False) -> None: ...
class Lion(Optimizer):
    """lr times the sign of a running mean of the gradient is taken off the value, and decay (Chen et
    al. 2023)
    """
    def __init__(self, params: Any, lr: float = 0.0001, beta1: float = 0.9, beta2: float = 0.99, weight_decay: float = 0.0) -> None: ...
class RiemannianSGD(Optimizer):
    """points of a manifold move along geodesics by lr times the gradient in its metric, or by a
    velocity that moves with them (Bonnabel 2013); others as by SGD
    """
    def __init__(self, params: Any, lr: float = 0.001, momentum: float = 0.0, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False, sparse: bool = False) -> None: ...
class RiemannianAdam(Optimizer):
    """points of a manifold move along geodesics, by Adam with a first moment that moves with them and
    one second moment a row (Becigneul and Ganea 2019); others as by Adam
    """
    def __init__(self, params: Any, lr: float = 0.001, beta1: float = 0.9, beta2: float = 0.999, eps: float = 1e-08, weight_decay: float = 0.0, amsgrad: bool = False, sparse: bool = False) -> None: ...
