# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class PackedSequence:
    """Sequences of different lengths without padding, as recurrent layers take them: `data` [total
    length, ...] has the elements of all sequences by time step, of the longest sequence first, and
    `batch_sizes` the number of sequences at each step. `sorted_indices` are the places of the sequences
    in the batch, None if it is sorted by length, and `unsorted_indices` their inverse. Made by
    pack_padded_sequence() and pack_sequence().
    """
    def to(self, *args: Any, **kwargs: Any) -> Any:
        """data.to(...); the indices move to its device."""
    def cpu(self) -> Any:
        """The same on the CPU."""
    def cuda(self, device: Any = None) -> Any:
        """The same on a CUDA device."""
    def float(self) -> Any:
        """The same with data of f32."""
    def double(self) -> Any:
        """The same with data of f64."""
    def half(self) -> Any:
        """The same with data of f16."""
    @property
    def is_cuda(self) -> Any: ...
    def __getattr__(self, name: str, /) -> Any: ...
def invert_permutation(permutation: Any) -> Any:
    """The permutation that undoes another; None for None."""
def pack_padded_sequence(input: Any, lengths: Any, batch_first: Any = False, enforce_sorted: Any = True) -> Any:
    """Packs padded sequences [longest, batch, ...], or [batch, longest, ...] if batch_first, of these
    lengths, which must be in descending order unless enforce_sorted=False.
    """
def pack_sequence(sequences: Any, enforce_sorted: Any = True) -> Any:
    """Packs sequences [length, ...], which must be in descending order of length unless
    enforce_sorted=False.
    """
def pad_packed_sequence(sequence: Any, batch_first: Any = False, padding_value: Any = 0.0, total_length: Any = None) -> Any:
    """The sequences of pack_padded_sequence() padded to the longest, or to total_length, and their
    lengths.
    """
def pad_sequence(sequences: Any, batch_first: Any = False, padding_value: Any = 0.0, padding_side: Any = 'right') -> Any:
    """Stacks sequences [length, ...], padded to the longest: [longest, batch, ...], or [batch, longest,
    ...] if batch_first.
    """
def unpack_sequence(packed_sequences: Any) -> Any:
    """The sequences of pack_sequence(), as a list."""
def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: Any = False) -> Any:
    """The sequences of pad_sequence(), given their lengths."""
