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
    """Exponential moving average (EMA) of the tensors of a model (a module or a dict of tensors), which
    often generalises better than the last values. Call update() after each step of the optimiser.
    """
    def __init__(self, model: Any, decay: float = 0.999, warmup: bool = False) -> None: ...
    def update(self) -> None:
        """Updates the averages; call this after each step of the optimiser."""
    @property
    def updates(self) -> Any: ...
    def swap(self) -> None:
        """Swaps the averages with the model's values; a second call restores the values bit for bit."""
    @property
    def swapped(self) -> Any: ...
    def state_dict(self) -> dict[Any, Any]:
        """"updates" and the averages by tensor name."""
    def load_state_dict(self, state: dict[Any, Any]) -> None: ...
    def applied(self) -> Any:
        """`with ema.applied():` the model holds the averages; its own values are restored afterwards.
        ValueError within another such block.
        """
    def __getattr__(self, name: str, /) -> Any: ...
class LBFGS:
    """Limited-memory BFGS with one parameter group, for smooth losses of whole datasets (Liu and
    Nocedal 1989).
    """
    def __init__(self, params: Any, lr: float = 1.0, max_iter: int = 20, max_eval: int = 0, tolerance_grad: float = 1e-07, tolerance_change: float = 1e-09, history_size: int = 100, line_search_fn: Any = 'none') -> None: ...
    def step(self, closure: Any) -> Any:
        """Up to max_iter iterations, each with one or more calls of `closure`, which clears the gradients,
        computes the loss and its gradients, and returns the loss. Returns the first loss.
        """
    @property
    def param_groups(self) -> Any: ...
    @property
    def defaults(self) -> Any: ...
    @property
    def lr(self) -> Any: ...
    @lr.setter
    def lr(self, value: Any) -> None: ...
    def state_dict(self) -> Any:
        """{"state": tensors by name, which are shared, "param_groups": options and other items of each
        group, with the numbers of its parameters as "params"}.
        """
    def load_state_dict(self, state: Any) -> Any:
        """Restores the result of state_dict(). The optimiser must have the same groups with the same
        shapes; otherwise an error is raised and nothing changes.
        """
    def zero_grad(self, set_to_none: Any = True) -> Any:
        """Sets the gradients of all parameters to None, or to 0 in place."""
    def __getattr__(self, name: str, /) -> Any: ...
class LossScale:
    """Dynamic loss scaling, which keeps gradients in the range of f16:"""
    def __init__(self, initial: float = 65536.0, growth: float = 2.0, backoff: float = 0.5, least: float = 1.0, growth_interval: int = 2000) -> None: ...
    @property
    def scale(self) -> Any: ...
    def update(self, finite: bool) -> None:
        """Updates the scale after each step, given whether the gradients were finite (the step's
        `applied`).
        """
    def state_dict(self) -> object: ...
    def load_state_dict(self, state: object) -> None: ...
    def __getattr__(self, name: str, /) -> Any: ...
class Optimizer:
    """Base class of optimisers: Optimizer(params, **options). `params` are tensors that require
    gradients, pairs of a name and a tensor, or dicts of "params" and options (parameter groups);
    omitted options of a group are those of the call. As in PyTorch, betas=(b1, b2) sets beta1 and
    beta2.
    """
    def step(self, closure: Any = None, **options: Any) -> Any:
        """Updates the parameters that have a gradient, and returns a StepResult. A `closure` computes the
        gradients first; the result is then what it returns, the loss. Warns once when a step is skipped
        because of gradients that are not finite (except with `scale`, as loss scaling expects), and once
        when no parameter has a gradient.
        """
    def apply_gradients(self, gradients: Any, parameters: Any, **options: Any) -> Any:
        """Updates the parameters by gradients by name, as gyre.nn.value_and_grad returns them, in place of
        their grad, which is neither read nor changed. `parameters` is the module, or a dict of its
        parameters by name. Options, warnings and result as for step().
        """
    def zero_grad(self, set_to_none: Any = True) -> Any:
        """Sets the gradients of all parameters to None, or to 0 in place."""
    def settle(self) -> None:
        """Brings parameters up to date for measuring or saving: packed ones that are encoded only now and
        then (HybridOptimizer). Later steps go on as without it.
        """
    @property
    def param_groups(self) -> Any: ...
    @property
    def defaults(self) -> Any: ...
    @property
    def lr(self) -> Any: ...
    @lr.setter
    def lr(self, value: Any) -> None: ...
    def state_dict(self) -> Any:
        """{"state": tensors by name, which are shared, "param_groups": options and other items of each
        group, with the numbers of its parameters as "params"}.
        """
    def load_state_dict(self, state: Any) -> Any:
        """Restores the result of state_dict(). The optimiser must have the same groups with the same
        shapes; otherwise an error is raised and nothing changes.
        """
    def add_param_group(self, group: Any) -> Any:
        """Adds a parameter group: a dict of "params" and options; omitted options are those of the
        optimiser.
        """
    def __getattr__(self, name: str, /) -> Any: ...
class ParameterGroup:
    """Mapping of a parameter group's options by name, to get and set, and its "params". Items of other
    names are kept for the user. "betas" is the pair of beta1 and beta2.
    """
    def __init__(self, optimizer: Any, number: Any, params: Any) -> None: ...
    def __getitem__(self, name: Any) -> Any: ...
    def __setitem__(self, name: Any, value: Any) -> None: ...
    def __delitem__(self, name: Any) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __getattr__(self, name: str, /) -> Any: ...
class Schedule:
    """Learning-rate schedule: schedule(step) is the rate at step 0, 1, ... Linear warm-up, then the
    schedule given by `kind`.
    """
    def __init__(self, kind: Any = 'cosine', lr: float = 0.001, min_lr: float = 0.0, warmup: int = 0, steps: int = 0, gamma: float = 0.1, every: int = 1000, decay: float = 0.2) -> None: ...
    def __call__(self, step: int) -> float:
        """Learning rate at step 0, 1, ..."""
    @property
    def options(self) -> Any: ...
    def __getattr__(self, name: str, /) -> Any: ...
class StepResult:
    @property
    def gradient_norm(self) -> float | None: ...
    @property
    def applied(self) -> bool: ...
    def __repr__(self) -> str: ...
def clip_grad_norm(parameters: Any, max_norm: Any, non_finite: Any = 'skip') -> Any:
    """Clips the norm of the gradients of `parameters` to `max_norm` in place and returns the norm
    before clipping. For non-finite gradients, `non_finite` selects: skip and apply leave them
    unchanged, zero treats their non-finite elements as 0, raise raises NumericError.
    `optimizer.step(clip=...)` does the same in the same pass as the step.
    """
from gyre.optim import lr_scheduler as lr_scheduler
class schedules:
    """Functions that create a Schedule of each kind: schedules.KIND(**options)."""
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
    """`with gyre.optim.step_in_backward(optimizer):` updates each parameter during backward as soon as
    its gradient is complete, then frees the gradient. Gradient clipping is not possible.
    """
from gyre.optim import swa_utils as swa_utils
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
