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
    """Batches of a dataset of gyre or of any object with __len__ and __getitem__, whose examples are
    dicts, tuples or single arrays; batches have the same format. Batches are numbered across epochs,
    and the examples of a batch depend only on the seed and its number.
    """
    def __init__(self, dataset: Any, batch_size: int = 32, shuffle: bool = False, drop_last: bool = False, num_workers: int = 0, prefetch_factor: int = 2, seed: int = 0, *, sampler: Any = None, batch_sampler: Any = None, collate_fn: Any = None) -> None: ...
    @property
    def options(self) -> Any: ...
    def __len__(self) -> int: ...
    def next(self) -> Any:
        """The next batch; advances the cursor, across epochs."""
    def at(self, number: Any) -> Any:
        """Batch `number`; does not move the cursor."""
    def rows(self, number: Any) -> Any:
        """Indices of the examples in batch `number`."""
    @property
    def cursor(self) -> Any: ...
    @cursor.setter
    def cursor(self, value: Any) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def resume(self) -> Any:
        """Iterates from `cursor` to the end of its epoch, as after load_state_dict()."""
    @property
    def epoch(self) -> Any: ...
    def state_dict(self) -> Any:
        """The position, and the options that determine the order."""
    def load_state_dict(self, state: Any) -> Any:
        """Resumes at the position of state_dict(). ValueError if the options that determine the order
        differ.
        """
    def __getattr__(self, name: str, /) -> Any: ...
class Dataset:
    """A map-style dataset: len(dataset) and dataset[i], which is a dict of tensors, a tuple of tensors or a tensor. Subclasses define __len__ and __getitem__; other classes with these methods work too."""
    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, arg0: dict[Any, Any], arg1: bool, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, arg: int, /) -> object: ...
    def batch(self, rows: collections.abc.Sequence[int]) -> object:
        """Stacks the examples with these indices."""
class Table:
    """The rows of a CSV file as a dataset: len(table) examples table[i], dicts of the features x and
    the target y. table["name"] is a column as it is in these rows, as read_csv returns it, and
    `columns` are the names of all columns. `encoding` is a dict that describes how columns become
    features; pass it to read_table to convert other rows in the same way. `notes` are the warnings of
    the reader about what it guessed.
    """
    def __init__(self, data: Any, encoding: Any, cells: Any, notes: Any) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __contains__(self, name: Any) -> bool: ...
    @property
    def columns(self) -> Any: ...
    @property
    def classes(self) -> Any: ...
class TensorDataset(Dataset):
    """Dataset of tensors: TensorDataset(x, y) has tuples as examples, TensorDataset(x=x, y=y) dicts."""
    def __init__(self, *tensors: Any, **fields: Any) -> None: ...
class TokenBatches:
    """Batches for next-token prediction from one long sequence of tokens: batches.at(i) is (inputs, targets), both [rows, block] i32; targets are the inputs shifted by one token. Batch i depends only on the seed and i."""
    def __init__(self, tokens: object, rows: int, block: int, seed: int = 0) -> None:
        """`tokens`: a list or array of token ids, or a file path (.bin, .npy)."""
    def at(self, number: int) -> object: ...
    def __len__(self) -> int:
        """number of tokens"""
def mnist(path: Any, part: Any = 'training') -> Any:
    """Loads MNIST, or a dataset in the same format, from a folder of IDX files or an .npz file: images
    x [1, rows, columns] and labels y. `part` is "training" or "test".
    """
def read_csv(path: Any, separator: Any = 'detect', header: Any = 'detect', decimal: Any = 'detect', *, texts: Any = ()) -> Any:
    """Reads the columns of a CSV file by name: f64 tensors with NaN for missing numbers, and lists of
    str with     None for missing values. Columns named in `texts` are str even if all values are
    numbers.
    """
def read_table(path: Any, target: str = '', exclude: Any = ..., task: Any = 'detect', separator: Any = 'detect', header: Any = 'detect', decimal: Any = 'detect', include: Any = ..., held_back: float = 0.0, seed: int = 0, *, encoding: Any = None) -> Any:
    """Reads a CSV file as a Table. With the `encoding` of another table, rows are converted as in that
    table,     and the options are those of read_csv.
    """
def read_text(sources: Any, field: str = 'text', separator: str = '\n') -> Any:
    """Reads the text of a file, or of several files, joined; also other text sources of `gyre train`
    (wordnet:glosses). For .jsonl files it reads the text of each line, as selected by the options.
    """
def split(dataset: object, fraction: float, seed: int = 0) -> object:
    """Random split into (training, validation): `fraction` of the examples go to validation. Both parts
    keep the order of the dataset.
    """
def split_text(text: str, fraction: float) -> object:
    """Splits text into (training, validation): the last `fraction` is for validation, split at a
    character boundary.
    """
