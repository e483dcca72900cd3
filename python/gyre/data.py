"""Datasets, data loaders and file readers.

    dataset = gyre.data.TensorDataset(x, y)
    loader = gyre.data.DataLoader(dataset, batch=32, shuffle=True, seed=1)
    for x, y in loader:
        ...
"""

import os

from gyre._gyre import _data
from gyre._options import Options, documented, with_options

Dataset, TokenBatches = _data.Dataset, _data.TokenBatches
split, split_text = _data.split, _data.split_text
__all__ = ["DataLoader", "Dataset", "Table", "TensorDataset", "TokenBatches", "mnist", "read_csv", "read_table",
           "read_text", "split", "split_text"]


class TensorDataset(Dataset):
    """Dataset of tensors: TensorDataset(x, y) has tuples as examples, TensorDataset(x=x, y=y) dicts."""

    def __init__(self, *tensors, **fields):
        if bool(tensors) == bool(fields):
            raise TypeError("TensorDataset: expected tensors either all by position or all by keyword")
        named = fields or {str(i): tensor for i, tensor in enumerate(tensors)}
        super().__init__(named, bool(tensors))


_loader = Options("DataLoader", _data.loader_options)
_table, _csv = Options("read_table", _data.table_options), Options("read_csv", _data.csv_options)
_jsonl = Options("read_text", _data.jsonl_options)


class _Indices:
    """The dataset of a loader with `collate_fn`: it draws the indices only."""

    def __init__(self, dataset):
        self._dataset = dataset

    def __len__(self):
        return len(self._dataset)

    def __getitem__(self, i):
        return i


class DataLoader(_data.DataLoader):
    """Batches of a dataset of gyre or of any object with __len__ and __getitem__, whose examples are dicts,
    tuples or single arrays; batches have the same format. Batches are numbered across epochs, and the examples
    of a batch depend only on the seed and its number.

    `iter(loader)` begins the next epoch, or the current one if none of its batches has been taken; iterators do not affect each other.
    resume() continues at `cursor`, the number of the next batch of the newest iterator, which load_state_dict()
    or setting `loader.cursor` changes.

     `collate_fn`, as in PyTorch, makes a batch of a list of examples of any type;
    without it tensors are stacked."""

    def __init__(self, dataset, *args, collate_fn=None, **kwargs):
        self.dataset, self.collate_fn = dataset, collate_fn
        super().__init__(_Indices(dataset) if collate_fn else dataset, _loader.bind(args, kwargs))

    def __iter__(self):
        if self.cursor % len(self):
            self.cursor = (self.epoch + 1) * len(self)
        return self.resume()

    def resume(self):
        """Iterates from `cursor` to the end of its epoch, as after load_state_dict()."""
        return self._batches(self.cursor, (self.epoch + 1) * len(self))

    def _batches(self, number, end):
        while number < end:
            ours = self.cursor == number  # no other iterator has begun
            batch = self.next() if ours else self.at(number)
            number += 1
            yield batch

    def next(self):
        """The next batch; advances the cursor, across epochs."""
        return self._collated(super().next(), self.cursor - 1)

    def at(self, number):
        """Batch `number`; does not move the cursor."""
        return self._collated(super().at(number), number)

    def _collated(self, batch, number):
        if self.collate_fn is None:
            return batch
        return self.collate_fn([self.dataset[i] for i in self.rows(number)])

    @property
    def epoch(self):
        """The epoch of the batch at the cursor, from 0."""
        return self.cursor // len(self)

    def state_dict(self):
        """The position, and the options that determine the order."""
        return {"cursor": self.cursor, "options": self.options}

    def load_state_dict(self, state):
        """Resumes at the position of state_dict(). ValueError if the options that determine the order
        differ."""
        saved = _loader.bind((), state["options"])  # options may have had other names
        for name in ("batch_size", "shuffle", "drop_last", "seed"):
            if saved[name] != self.options[name]:
                raise ValueError(f"expected a state with {name}={self.options[name]!r}, got {saved[name]!r}")
        self.cursor = state["cursor"]


class Table:
    """Dataset of the rows of a CSV file: examples have the features x and the target y. `encoding` is a dict
    that describes the conversion; pass it to read_table to convert other rows in the same way."""

    def __init__(self, data, encoding):
        self.data, self.encoding = data, encoding

    @property
    def classes(self):
        """Names of the classes, indexed by y; empty for regression."""
        return self.encoding["classes"]


with_options(DataLoader.__init__, _loader)
DataLoader.__doc__ += f"\n\nOptions:\n{_loader.describe()}"


@documented(_table)
def read_table(path, *args, encoding=None, **kwargs):
    """Reads a CSV file as a Table. With the `encoding` of another table, rows are converted as in that table,
    and the options are those of read_csv."""
    options = _table if encoding is None else _csv
    return Table(*_data.read_table(os.fspath(path), options.bind(args, kwargs), encoding))


@documented(_csv)
def read_csv(path, *args, texts=(), **kwargs):
    """Reads the columns of a CSV file by name: f64 tensors with NaN for missing numbers, and lists of str with
    None for missing values. Columns named in `texts` are str even if all values are numbers."""
    return _data.read_csv(os.fspath(path), _csv.bind(args, kwargs), list(texts))


@documented(_jsonl)
def read_text(sources, *args, **kwargs):
    """Reads the text of a file, or of several files, joined; also other text sources of `gyre train`
    (wordnet:glosses). For .jsonl files it reads the text of each line, as selected by the options."""
    names = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    return _data.read_text([os.fspath(name) for name in names], _jsonl.bind(args, kwargs))


def mnist(path, part="training"):
    """Loads MNIST, or a dataset in the same format, from a folder of IDX files or an .npz file: images x [1,
    rows, columns] and labels y. `part` is "training" or "test"."""
    return _data.mnist(os.fspath(path), part)
