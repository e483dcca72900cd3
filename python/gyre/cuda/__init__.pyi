# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def device_count() -> Any:
    """Number of CUDA devices that this build can use."""
def is_available() -> Any:
    """Whether a CUDA device can be used."""
def manual_seed(seed: Any) -> Any:
    """Seeds the generator of this thread, from which all devices draw."""
def manual_seed_all(seed: Any) -> Any:
    """Seeds the generator of this thread, from which all devices draw."""
def synchronize(device: Any = None) -> Any:
    """Waits for the device; ops on the CPU have ended when they return."""
def empty_cache() -> Any:
    """Has no effect: freed memory is reused."""
