# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

from gyre._gyre import Tensor
class GradScaler:
    """Scales losses so that gradients stay in the range of f16, and skips steps whose gradients are not
    finite; see gyre.optim.LossScale. enabled=False: losses are not scaled.
    """
    def __init__(self, device: Any = 'cuda', init_scale: Any = 65536.0, growth_factor: Any = 2.0, backoff_factor: Any = 0.5, growth_interval: Any = 2000, enabled: Any = True) -> None: ...
    def is_enabled(self) -> Any:
        """Whether losses are scaled."""
    def get_scale(self) -> Any:
        """The factor of losses; 1 unless enabled."""
    def scale(self, outputs: Any) -> Any:
        """A loss, or a list or tuple of them, times the factor."""
    def unscale_(self, optimizer: Any) -> Any:
        """Divides the gradients of the optimiser's parameters by the factor, for example before clipping
        them.
        """
    def step(self, optimizer: Any) -> Any:
        """optimizer.step() with unscaled gradients; skipped if they are not finite."""
    def update(self, new_scale: Any = None) -> Any:
        """Adapts the factor to the steps since the last call, or sets it."""
    def state_dict(self) -> Any:
        """The factor and its options; empty unless enabled."""
    def load_state_dict(self, state_dict: Any) -> Any:
        """Restores state_dict()."""
class autocast:
    """Context manager and decorator of PyTorch for mixed precision. Ops of gyre always compute in the
    dtypes of their operands: with enabled=True it warns that it has no effect.
    """
    def __init__(self, device_type: Any = 'cuda', dtype: Any = None, enabled: Any = True, cache_enabled: Any = None) -> None: ...
    def __enter__(self) -> Tensor: ...
    def __exit__(self, *error: Any) -> None: ...
    def __call__(self, function: Any) -> Tensor: ...
def is_autocast_enabled(device_type: Any = None) -> bool:
    """False: ops compute in the dtypes of their operands."""
