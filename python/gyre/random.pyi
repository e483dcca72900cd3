# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Generator:
    """A random number generator, as in PyTorch. `device` is not used: the numbers are the same on all
    devices.
    """
    def __init__(self, device: Any = 'cpu') -> None: ...
    def manual_seed(self, seed: Any) -> Any:
        """Seeds the generator and returns it."""
    def seed(self) -> Any:
        """Seeds it with a number from the generator of the thread, and returns that number."""
    def initial_seed(self) -> Any:
        """The last seed."""
    def get_state(self) -> Any:
        """A tensor to pass to set_state()."""
    def set_state(self, new_state: Any) -> Any:
        """Sets the state to the result of get_state()."""
def drawing_from(generator: Any) -> Any:
    """`with gyre.random.drawing_from(generator):` random numbers of this thread come from `generator`;
    None: from the generator that gyre.manual_seed seeds.
    """
def fork_rng() -> Any:
    """`with gyre.random.fork_rng():` restores the random number generator of the thread at the end."""
