# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Program:
    """A program, compiled. Its values are computed when they are asked for, and kept."""
    def __init__(self, text: str, *, path: str = 'program', dtype: Any = None, seed: Any = None, layout: Any = None, **inputs: Any) -> None: ...
    @staticmethod
    def read(path: Any, **options: Any) -> Any:
        """The program in a file."""
    def run(self) -> Any:
        """Runs its queries, `learn` and scripts in their order: (query, answer) for each query, then
        ("learn", losses) for each learn.
        """
    def query(self, text: str) -> Any:
        """The answer to a query such as "Ancestor(Alice, x)?": whether it holds, the tuples of values of
        its variables in order of first sight, or a tensor.
        """
    def why(self, text: str) -> Any:
        """A proof of least height for each answer to a query of a relation, in the order of query(): a dict
        with the atom and, unless it is a fact, the rule, its line, and the proofs of what its body needs
        (`because`).
        """
    def __getitem__(self, name: str) -> Any: ...
    def __setitem__(self, name: str, value: Any) -> None: ...
    def add(self, relation: str, tuples: Any) -> Any:
        """Adds tuples to a relation. Fixpoints of rules that they can only extend continue from them; what
        else depends on them is computed anew.
        """
    def forget(self) -> Any:
        """Forgets all computed values, so that they are computed anew when they are asked for: to free
        their memory, or after writing into an array that was given as an input. Learned parameters stay.
        """
    @property
    def warnings(self) -> Any: ...
