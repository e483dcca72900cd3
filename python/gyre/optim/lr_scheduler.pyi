# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class ChainedScheduler(LRScheduler):
    """Steps all schedulers at once, so that each changes the rates that the one before has set."""
    def __init__(self, schedulers: Any, optimizer: Any = None) -> None: ...
class ConstantLR(LRScheduler):
    """The rate times `factor` before epoch total_iters."""
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def __init__(self, optimizer: Any, factor: Any = 0.3333333333333333, total_iters: Any = 5, last_epoch: Any = -1) -> None: ...
class CosineAnnealingLR(LRScheduler):
    """Half a cosine wave from the initial rate to eta_min in T_max epochs, and back after them (SGDR,
    Loshchilov and Hutter 2017, without restarts).
    """
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def __init__(self, optimizer: Any, T_max: Any, eta_min: Any = 0.0, last_epoch: Any = -1) -> None: ...
class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine wave from the initial rate to eta_min in T_0 epochs, then again in T_mult times as
    many, and so on (SGDR, Loshchilov and Hutter 2017). step() also takes fractions of epochs.
    """
    def __init__(self, optimizer: Any, T_0: Any, T_mult: Any = 1, eta_min: Any = 0.0, last_epoch: Any = -1) -> None: ...
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
class CyclicLR(LRScheduler):
    """Cycles the rate between base_lr and max_lr: step_size_up steps up, step_size_down down (Smith
    2017). `mode` is triangular, triangular2 (the range is halved after each cycle) or exp_range (it is
    scaled by gamma ** step); scale_fn, a function of the cycle or of the step (scale_mode: cycle or
    iterations), replaces it. Momentum is cycled inversely.
    """
    def __init__(self, optimizer: Any, base_lr: Any, max_lr: Any, step_size_up: Any = 2000, step_size_down: Any = None, mode: Any = 'triangular', gamma: Any = 1.0, scale_fn: Any = None, scale_mode: Any = 'cycle', cycle_momentum: Any = True, base_momentum: Any = 0.8, max_momentum: Any = 0.9, last_epoch: Any = -1) -> None: ...
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
class ExponentialLR(LRScheduler):
    """Multiplies the rate by gamma every epoch."""
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def __init__(self, optimizer: Any, gamma: Any, last_epoch: Any = -1) -> None: ...
class LRScheduler:
    """Base class of schedulers. A subclass defines get_lr(), which returns the rate of each parameter
    group at `last_epoch` from `base_lrs` or from the rates in `optimizer.param_groups`. With
    `last_epoch` the schedule resumes after that epoch; the groups must then have an "initial_lr".
    """
    def __init__(self, optimizer: Any, last_epoch: Any = -1) -> None: ...
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def get_last_lr(self) -> Any:
        """The rates that the last step() set."""
    def step(self, epoch: Any = None) -> Any:
        """Sets the rates of the next epoch, or those of `epoch`. Call it after optimizer.step()."""
    def state_dict(self) -> Any:
        """All attributes but the optimizer; of functions nothing, of callable objects their attributes."""
    def load_state_dict(self, state_dict: Any) -> Any:
        """Restores the result of state_dict(). The rates of the groups are in the state of the optimizer.
        """
class LambdaLR(LRScheduler):
    """The initial rate times lr_lambda(epoch); lr_lambda is a function, or a list of one per parameter
    group.
    """
    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: Any = -1) -> None: ...
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
class LinearLR(LRScheduler):
    """The rate times a factor that is linear from start_factor to end_factor in total_iters epochs."""
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def __init__(self, optimizer: Any, start_factor: Any = 0.3333333333333333, end_factor: Any = 1.0, total_iters: Any = 5, last_epoch: Any = -1) -> None: ...
class MultiStepLR(LRScheduler):
    """Multiplies the rate by gamma at each of the milestones."""
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def __init__(self, optimizer: Any, milestones: Any, gamma: Any = 0.1, last_epoch: Any = -1) -> None: ...
class MultiplicativeLR(LRScheduler):
    """The rate before times lr_lambda(epoch), from epoch 1 on; lr_lambda is a function, or a list of
    one per parameter group.
    """
    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: Any = -1) -> None: ...
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
class OneCycleLR(LRScheduler):
    """One cycle of total_steps (or epochs * steps_per_epoch) steps: from max_lr / div_factor up to
    max_lr in the first pct_start of them, then down to the initial rate / final_div_factor (Smith and
    Topin 2018); with three_phase first down to the initial rate. Momentum is cycled inversely.
    """
    def __init__(self, optimizer: Any, max_lr: Any, total_steps: Any = None, epochs: Any = None, steps_per_epoch: Any = None, pct_start: Any = 0.3, anneal_strategy: Any = 'cos', cycle_momentum: Any = True, base_momentum: Any = 0.85, max_momentum: Any = 0.95, div_factor: Any = 25.0, final_div_factor: Any = 10000.0, three_phase: Any = False, last_epoch: Any = -1) -> None: ...
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
class PolynomialLR(LRScheduler):
    """The rate times (1 - epoch / total_iters) ** power, and 0 from epoch total_iters on."""
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def __init__(self, optimizer: Any, total_iters: Any = 5, power: Any = 1.0, last_epoch: Any = -1) -> None: ...
class ReduceLROnPlateau(LRScheduler):
    """Multiplies the rate by `factor` when the metric given to step() has not improved for more than
    `patience` epochs. `mode` is min or max, `threshold` the least improvement, relative or absolute
    (threshold_mode: rel or abs); after a reduction `cooldown` epochs are not counted. Changes of a rate
    below eps are not made.
    """
    def __init__(self, optimizer: Any, mode: Any = 'min', factor: Any = 0.1, patience: Any = 10, threshold: Any = 0.0001, threshold_mode: Any = 'rel', cooldown: Any = 0, min_lr: Any = 0, eps: Any = 1e-08) -> None: ...
    def is_better(self, a: Any, best: Any) -> Any:
        """Whether a metric is an improvement of the best one by at least the threshold."""
    def step(self, metrics: Any, epoch: Any = None) -> Any:  # type: ignore[override]
        """Compares the metric of an epoch with the best one."""
class SequentialLR(LRScheduler):
    """The schedulers one after the other: scheduler i + 1 begins, with its epoch 0, at epoch
    milestones[i].
    """
    def __init__(self, optimizer: Any, schedulers: Any, milestones: Any, last_epoch: Any = -1) -> None: ...
class StepLR(LRScheduler):
    """Multiplies the rate by gamma every step_size epochs."""
    def get_lr(self) -> Any:
        """The rate of each parameter group at `last_epoch`."""
    def __init__(self, optimizer: Any, step_size: Any, gamma: Any = 0.1, last_epoch: Any = -1) -> None: ...
