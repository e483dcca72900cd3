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
    """Random numbers from a generator with its own state."""
    def __init__(self, seed: Any = None) -> None: ...
    def random(self, size: Any = None, dtype: Any = ...) -> Any:
        """Uniform numbers in [0, 1)."""
    def standard_normal(self, size: Any = None, dtype: Any = ...) -> Any:
        """Numbers from the standard normal distribution."""
    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Uniform numbers in [low, high)."""
    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from a normal distribution."""
    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from an exponential distribution."""
    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = ..., endpoint: Any = False) -> Any:
        """Uniform integers in [low, high), or in [0, low) without `high`; up to the end with `endpoint`."""
    def permutation(self, x: Any) -> Any:
        """The integers below x, or the slices of an array along axis 0, in random order."""
    def shuffle(self, x: Any) -> Any:
        """Reorders a tensor along axis 0, in place."""
    def choice(self, a: Any, size: Any = None, replace: Any = True, p: Any = None) -> Any:
        """Elements of a vector, or integers below a, with equal probabilities or p."""
def choice(a: Any, size: Any = None, replace: Any = True, p: Any = None) -> Any:
    """Elements of a vector, or integers below a, with equal probabilities or p."""
def default_rng(seed: Any = None) -> Any:
    """Generator with a seed, or with one from the system."""
def exponential(scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from an exponential distribution."""
def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from a normal distribution."""
def permutation(x: Any) -> Any:
    """The integers below x, or the slices of an array along axis 0, in random order."""
def rand(*shape: Any) -> Any:
    """Uniform numbers in [0, 1) of a shape."""
def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = ...) -> Any:
    """Uniform integers in [low, high), or in [0, low) without `high`."""
def randn(*shape: Any) -> Any:
    """Numbers from the standard normal distribution of a shape."""
def random(size: Any = None, dtype: Any = ...) -> Any:
    """Uniform numbers in [0, 1)."""
def random_sample(size: Any = None, dtype: Any = ...) -> Any:
    """Uniform numbers in [0, 1)."""
def seed(seed: Any) -> Any:
    """Seeds gyre's global generator."""
def shuffle(x: Any) -> Any:
    """Reorders a tensor along axis 0, in place."""
def standard_normal(size: Any = None, dtype: Any = ...) -> Any:
    """Numbers from the standard normal distribution."""
def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """Uniform numbers in [low, high)."""
