# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class DataLoader:
    """Batches of a dataset: of gyre's, or of anything with __len__ and __getitem__, whose examples are
    dicts, tuples or single arrays; a batch looks as they do. Batches are numbered for ever, and which
    examples one has depends on the seed and its number only.
    """
    def __init__(self, dataset: Any, batch: int = 32, shuffle: bool = False, drop_last: bool = False, workers: int = 0, prefetch: int = 2, seed: int = 0) -> None: ...
    @property
    def options(self) -> Any: ...
    def __len__(self) -> int: ...
    def next(self) -> object:
        """The batch at the cursor, which moves on, epoch after epoch."""
    def at(self, number: int) -> object:
        """Batch `number`; the cursor stays."""
    def rows(self, number: int) -> list[int]:
        """The numbers of the examples in batch `number`."""
    @property
    def cursor(self) -> Any: ...
    @cursor.setter
    def cursor(self, value: Any) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    @property
    def epoch(self) -> Any: ...
    def state_dict(self) -> Any:
        """Where it is, and the options on which the order depends."""
    def load_state_dict(self, state: Any) -> Any:
        """Goes on where state_dict() was taken. ValueError where the batches would be others."""
    def __getattr__(self, name: str, /) -> Any: ...
class Dataset:
    """Examples by number: len(dataset) and dataset[i], a dict of tensors, a tuple of them or a tensor. A subclass defines __len__ and __getitem__; so may any other class."""
    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, arg0: dict[Any, Any], arg1: bool, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, arg: int, /) -> object: ...
    def batch(self, rows: collections.abc.Sequence[int]) -> object:
        """The examples of these numbers, stacked."""
class Table:
    """Rows of a CSV file as examples x, the features, and y, the target; how they became that, as a
    dict, is `encoding`, by which read_table reads other rows in the same way.
    """
    def __init__(self, data: Any, encoding: Any) -> None: ...
    @property
    def classes(self) -> Any: ...
class TensorDataset(Dataset):
    """Rows of tensors: TensorDataset(x, y) has tuples as examples, TensorDataset(x=x, y=y) dicts."""
    def __init__(self, *tensors: Any, **fields: Any) -> None: ...
class TokenBatches:
    """Batches of windows of one long row of tokens: batches.at(i) is (inputs, targets), both [rows, block] i32, the targets being the tokens that follow. Batch i depends on the seed and i only."""
    def __init__(self, tokens: object, rows: int, block: int, seed: int = 0) -> None:
        """`tokens` are a list or an array of them, or the path of a file (.bin, .npy)."""
    def at(self, number: int) -> object: ...
    def __len__(self) -> int:
        """tokens there are"""
def mnist(path: Any, part: Any = 'training') -> Any:
    """MNIST, or a set in its format, out of a folder of IDX files or an .npz file: images x [1, rows,
    columns] and labels y. `part` is "training" or "test".
    """
def read_csv(path: Any, separator: Any = 'detect', header: Any = 'detect', *, texts: Any = ()) -> Any:
    """The columns of a CSV file by name: f64 tensors, NaN where a number is missing, and lists of
    texts,     None where one is. Columns named in `texts` are texts even if all are numbers.
    """
def read_table(path: Any, target: str = '', without: str = '', task: Any = 'detect', separator: Any = 'detect', header: Any = 'detect', held_back: float = 0.0, seed: int = 0, *, encoding: Any = None) -> Any:
    """The rows of a CSV file as examples: a Table. With the `encoding` of another one, rows are read as
    its were, and options are those of read_csv.
    """
def read_text(sources: Any, field: str = 'text', separator: str = '\n') -> Any:
    """The text of a file, or of several, joined, or of what `gyre train` reads too (wordnet:glosses).
    Of .jsonl files it is that of each line, by the options.
    """
def split(dataset: object, fraction: float, seed: int = 0) -> object:
    """Draws a share of the examples for validation: (training, validation), each in the order of the
    dataset.
    """
def split_text(text: str, fraction: float) -> object:
    """(training, validation): the last share of a text is for validation, cut before a whole character.
    """
