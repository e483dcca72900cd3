# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def pad_sequence(sequences: Any, batch_first: Any = False, padding_value: Any = 0.0, padding_side: Any = 'right') -> Any:
    """Stacks sequences [length, ...], padded to the longest: [longest, batch, ...], or [batch, longest,
    ...] if batch_first.
    """
def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: Any = False) -> Any:
    """The sequences of pad_sequence(), given their lengths."""
