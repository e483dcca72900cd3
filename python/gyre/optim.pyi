# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Ema:
    """Running averages of the values of a model (a module, or a dict of tensors), which often
    generalise better than the last ones: update() after each step of the optimiser.
    """
    def __init__(self, model: Any, decay: float = 0.999, warmup: bool = False) -> None: ...
    def update(self) -> None:
        """After each step of the optimiser."""
    @property
    def updates(self) -> Any: ...
    def swap(self) -> None:
        """Puts the averages into the model, or the values that were there back, bit for bit."""
    @property
    def swapped(self) -> Any: ...
    def state_dict(self) -> dict[Any, Any]:
        """"updates" and the averages by the names of their tensors."""
    def load_state_dict(self, state: dict[Any, Any]) -> None: ...
    def applied(self) -> Any:
        """`with ema.applied():` the averages are in the model."""
    def __getattr__(self, name: str, /) -> Any: ...
class LossScale:
    """The factor of the loss that keeps gradients in the range of f16, found as one goes:"""
    def __init__(self, initial: float = 65536.0, growth: float = 2.0, backoff: float = 0.5, least: float = 1.0, growth_interval: int = 2000) -> None: ...
    @property
    def scale(self) -> Any: ...
    def update(self, finite: bool) -> None:
        """After each step: whether its gradients were finite (the step's `applied`)."""
    def state_dict(self) -> object: ...
    def load_state_dict(self, state: object) -> None: ...
    def __getattr__(self, name: str, /) -> Any: ...
class Optimizer:
    """An optimiser of the table: Optimizer(params, **options). `params` are tensors that require
    gradients, or dicts of "params" and options of their own: groups, whose other options are those of
    the call.
    """
    def step(self, **kwargs: Any) -> StepResult:
        """Changes the parameters that have a gradient. Options: scale, clip, norm, non_finite (see
        gyre.optim). Gives `gradient_norm`, 0 where it was not needed, and `applied`, false where gradients
        were not finite and so nothing has changed.
        """
    def zero_grad(self) -> None:
        """Drops the gradients of all parameters."""
    @property
    def param_groups(self) -> Any: ...
    def add_param_group(self, group: Any) -> Any:
        """One more group: a dict of "params" and options; others are those of the call."""
    @property
    def lr(self) -> Any: ...
    @lr.setter
    def lr(self, value: Any) -> None: ...
    def state_dict(self) -> Any:
        """{"state": tensors by name, which are shared, "groups": options of each}."""
    def load_state_dict(self, state: Any) -> Any:
        """Sets what state_dict() gave. The optimiser must have the same groups of the same shapes; if not,
        an error, and nothing has changed.
        """
    def __getattr__(self, name: str, /) -> Any: ...
class ParameterGroup:
    """Options of a group of an optimiser by name, to be read and set, and its "params"."""
    def __init__(self, optimizer: Any, number: Any, params: Any) -> None: ...
    def __getitem__(self, name: Any) -> Any: ...
    def __setitem__(self, name: Any, value: Any) -> None: ...
    def __delitem__(self, name: Any) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __getattr__(self, name: str, /) -> Any: ...
class Schedule:
    """A learning rate over the steps: schedule(step) for step 0, 1, ... After warm-up it goes on as
    `kind` says.
    """
    def __init__(self, kind: Any = 'cosine', lr: float = 0.001, min_lr: float = 0.0, warmup: int = 0, steps: int = 0, gamma: float = 0.1, every: int = 1000, decay: float = 0.2) -> None: ...
    def __call__(self, step: int) -> float:
        """The rate of step 0, 1, ..."""
    @property
    def options(self) -> Any: ...
    def __getattr__(self, name: str, /) -> Any: ...
class StepResult:
    @property
    def gradient_norm(self) -> float: ...
    @property
    def applied(self) -> bool: ...
    def __repr__(self) -> str: ...
def clip_grad_norm(parameters: Any, max_norm: Any, non_finite: Any = 'skip') -> Any:
    """Scales the gradients of `parameters` so that their norm is at most `max_norm`, and gives the norm
    that they had. What is done where it is not finite: skip and apply leave the gradients, zero counts
    such elements as 0, raise is a NumericError. `optimizer.step(clip=...)` does the same in its own
    pass.
    """
class schedules:
    """A function for each kind of Schedule: schedules.KIND(**options)."""
    @staticmethod
    def constant(**options: Any) -> Any:
        """Schedule(kind='constant', **options)"""
    @staticmethod
    def cosine(**options: Any) -> Any:
        """Schedule(kind='cosine', **options)"""
    @staticmethod
    def linear(**options: Any) -> Any:
        """Schedule(kind='linear', **options)"""
    @staticmethod
    def step(**options: Any) -> Any:
        """Schedule(kind='step', **options)"""
    @staticmethod
    def exponential(**options: Any) -> Any:
        """Schedule(kind='exponential', **options)"""
    @staticmethod
    def wsd(**options: Any) -> Any:
        """Schedule(kind='wsd', **options)"""
def step_in_backward(optimizer: Any) -> Any:
    """`with gyre.optim.step_in_backward(optimizer):` each backward steps a parameter as soon as its
    gradient is whole, and drops the gradient. Nothing can be clipped then.
    """
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
