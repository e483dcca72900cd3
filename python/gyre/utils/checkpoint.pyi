# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def checkpoint(function: Any, *args: Any, use_reentrant: Any = None, preserve_rng_state: Any = True, **kwargs: Any) -> Any:
    """function(*args, **kwargs), of which only the inputs are kept for backward, which runs it again
    with the same random numbers; see gyre.checkpoint.
    """
def checkpoint_sequential(functions: Any, segments: Any, input: Any, use_reentrant: Any = None, preserve_rng_state: Any = True) -> Any:
    """Runs the modules of a Sequential, or functions of a list, in order, and keeps only the inputs of
    `segments` parts of them, except for the last part, of which all is kept.
    """
