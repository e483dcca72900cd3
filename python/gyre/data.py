"""Data: examples by number, batches of them, and what is read from files.

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
    """Rows of tensors: TensorDataset(x, y) has tuples as examples, TensorDataset(x=x, y=y) dicts."""

    def __init__(self, *tensors, **fields):
        if bool(tensors) == bool(fields):
            raise TypeError("a TensorDataset takes tensors, either all by position or all by name")
        named = fields or {str(i): tensor for i, tensor in enumerate(tensors)}
        super().__init__(named, bool(tensors))


_loader = Options("DataLoader", _data.loader_options)
_table, _csv = Options("read_table", _data.table_options), Options("read_csv", _data.csv_options)
_jsonl = Options("read_text", _data.jsonl_options)


class DataLoader(_data.DataLoader):
    """Batches of a dataset: of gyre's, or of anything with __len__ and __getitem__, whose examples are
    dicts, tuples or single arrays; a batch looks as they do. Batches are numbered for ever, and which
    examples one has depends on the seed and its number only.

    Iterating goes on from `cursor` to the end of its epoch; the next iteration is the next epoch.
    `loader.cursor = number`, or load_state_dict(), goes on where another one was."""

    def __init__(self, dataset, *args, **kwargs):
        super().__init__(dataset, _loader.bind(args, kwargs))

    def __iter__(self):
        end = (self.epoch + 1) * len(self)
        while self.cursor < end:
            yield self.next()

    @property
    def epoch(self):
        """The epoch of the batch at the cursor, from 0."""
        return self.cursor // len(self)

    def state_dict(self):
        """Where it is, and the options on which the order depends."""
        return {"cursor": self.cursor, "options": self.options}

    def load_state_dict(self, state):
        """Goes on where state_dict() was taken. ValueError where the batches would be others."""
        decides = ("batch", "shuffle", "drop_last", "seed")
        for name in decides:
            if state["options"][name] != self.options[name]:
                raise ValueError(f"the state is of a loader with {name}={state['options'][name]!r}, this one has "
                                 f"{self.options[name]!r}")
        self.cursor = state["cursor"]


class Table:
    """Rows of a CSV file as examples x, the features, and y, the target; how they became that, as a
    dict, is `encoding`, by which read_table reads other rows in the same way."""

    def __init__(self, data, encoding):
        self.data, self.encoding = data, encoding

    @property
    def classes(self):
        """The names of the classes, whose numbers y are; none where y are values."""
        return self.encoding["classes"]


with_options(DataLoader.__init__, _loader)
DataLoader.__doc__ += f"\n\nOptions:\n{_loader.describe()}"


@documented(_table)
def read_table(path, *args, encoding=None, **kwargs):
    """The rows of a CSV file as examples: a Table. With the `encoding` of another one, rows are read as
    its were, and options are those of read_csv."""
    options = _table if encoding is None else _csv
    return Table(*_data.read_table(os.fspath(path), options.bind(args, kwargs), encoding))


@documented(_csv)
def read_csv(path, *args, texts=(), **kwargs):
    """The columns of a CSV file by name: f64 tensors, NaN where a number is missing, and lists of texts,
    None where one is. Columns named in `texts` are texts even if all are numbers."""
    return _data.read_csv(os.fspath(path), _csv.bind(args, kwargs), list(texts))


@documented(_jsonl)
def read_text(sources, *args, **kwargs):
    """The text of a file, or of several, joined, or of what `gyre train` reads too (wordnet:glosses).
    Of .jsonl files it is that of each line, by the options."""
    names = [sources] if isinstance(sources, (str, os.PathLike)) else sources
    return _data.read_text([os.fspath(name) for name in names], _jsonl.bind(args, kwargs))


def mnist(path, part="training"):
    """MNIST, or a set in its format, out of a folder of IDX files or an .npz file: images x
    [1, rows, columns] and labels y. `part` is "training" or "test"."""
    return _data.mnist(os.fspath(path), part)
