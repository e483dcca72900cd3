# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class BatchSampler(Sampler):
    """Lists of batch_size indices of a sampler; `drop_last` omits a shorter last one."""
    def __init__(self, sampler: Any, batch_size: Any, drop_last: Any) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
class ChainDataset(IterableDataset):
    """The examples of several iterable datasets, one dataset after the other."""
    def __init__(self, datasets: Any) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __len__(self) -> int: ...
class ConcatDataset(Dataset):
    """The examples of several datasets, one dataset after the other; also `a + b`."""
    def __init__(self, datasets: Any) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: Any) -> Any: ...  # type: ignore[override]
class DataLoader:
    """Batches of a dataset of gyre or of any object with __len__ and __getitem__, whose examples are
    dicts, tuples or single arrays; batches have the same format. Texts and nested examples make batches
    as in default_collate(). Batches are numbered across epochs, and the examples of a batch depend only
    on the seed and its number.
    """
    def __init__(self, dataset: Any, batch_size: int = 32, shuffle: bool = False, drop_last: bool = False, num_workers: int = 0, prefetch_factor: int = 2, seed: int = 0, *, sampler: Any = None, batch_sampler: Any = None, collate_fn: Any = None, generator: Any = None, worker_init_fn: Any = None) -> None: ...
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
    def batch_size(self) -> Any: ...
    @property
    def drop_last(self) -> Any: ...
    @property
    def num_workers(self) -> Any: ...
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
    def __getitem__(self, index: Any) -> Any: ...
    def batch(self, rows: collections.abc.Sequence[int]) -> object:
        """Stacks the examples with these indices."""
    def __repr__(self) -> str: ...
    def __add__(self, other: Any) -> Any: ...
class IterableDataset(Dataset):
    """Base class of datasets without indices: a subclass defines __iter__, which gives the examples of
    an epoch.
    """
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
class RandomSampler(Sampler):
    """All examples in random order, in a new one each epoch. `num_samples` is the number of indices of
    an epoch, by default one per example; with `replacement` each is drawn from all examples.
    """
    def __init__(self, data_source: Any, replacement: Any = False, num_samples: Any = None, generator: Any = None) -> None: ...
    @property
    def num_samples(self) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
class Sampler:
    """Base class of samplers. A subclass defines __iter__, which gives the indices of an epoch, and
    __len__.
    """
    def __init__(self, data_source: Any = None) -> None: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
class SequentialSampler(Sampler):
    """All examples in order."""
    def __init__(self, data_source: Any) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
class StackDataset(Dataset):
    """The examples of several datasets side by side: tuples, or dicts if the datasets are passed by
    keyword.
    """
    def __init__(self, *datasets: Any, **fields: Any) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: Any) -> Any: ...  # type: ignore[override]
class Subset(Dataset):
    """The examples of a dataset at these indices."""
    def __init__(self, dataset: Any, indices: Any) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: Any) -> Any: ...  # type: ignore[override]
class SubsetRandomSampler(Sampler):
    """These indices in random order, in a new one each epoch."""
    def __init__(self, indices: Any, generator: Any = None) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
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
    def __repr__(self) -> str: ...
class WeightedRandomSampler(Sampler):
    """num_samples indices drawn with probabilities proportional to the weights of the examples."""
    def __init__(self, weights: Any, num_samples: Any, replacement: Any = True, generator: Any = None) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
def default_collate(batch: Any) -> Any:
    """A batch of examples in the structure of the examples, which may be nested: dicts, tuples and
    lists of tensors, arrays, numbers (stacked; float is f32) and texts (a list).
    """
def default_convert(data: Any) -> Any:
    """Arrays as tensors, in dicts, tuples and lists as well; other values as they are."""
def get_worker_info() -> Any:
    """None, PyTorch's answer outside of worker processes: workers are threads, which share the dataset.
    """
def mnist(path: Any, part: Any = 'training') -> Any:
    """Loads MNIST, or a dataset in the same format, from a folder of IDX files or an .npz file: images
    x [1, rows, columns] and labels y. `part` is "training" or "test".
    """
def random_split(dataset: Any, lengths: Any, generator: Any = None) -> Any:
    """Random split into a Subset of each length. Fractions that sum to 1 are rounded down, and the
    first subsets get one more example each until all are used.
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
