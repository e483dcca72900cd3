# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def fftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """Frequencies of the Fourier transform of n samples with a spacing d, from 0 up, then the negative
    ones.
    """
def fftshift(x: Any, axes: Any = None) -> Any:
    """Frequency 0 moved to the centre of axes, all by default."""
def ifftshift(x: Any, axes: Any = None) -> Any:
    """Frequency 0 moved from the centre of axes, all by default, to their start."""
def rfftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Any:
    """Frequencies of the Fourier transform of n real samples with a spacing d, from 0 to the largest.
    """
