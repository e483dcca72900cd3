"""Datasets, samplers, data loaders and file readers.

    dataset = gyre.data.TensorDataset(x, y)
    loader = gyre.data.DataLoader(dataset, batch=32, shuffle=True, seed=1)
    for x, y in loader:
        ...
"""

import collections
import contextlib
import functools
import itertools
import operator
import os
import threading

from gyre._display import MOST_COLUMNS, MOST_ROWS, counted, examples_of, listed, sized, table
from gyre._gyre import _data, asarray, randint
from gyre._options import Options, documented, with_options
from gyre.data.collate import default_collate, default_convert, stacked
from gyre.data.datasets import (ChainDataset, ConcatDataset, IterableDataset, StackDataset, Subset, is_stream,
                                random_split)
from gyre.data.samplers import (BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler,
                                WeightedRandomSampler)
from gyre.random import drawing_from

Dataset, TokenBatches = _data.Dataset, _data.TokenBatches
split, split_text = _data.split, _data.split_text
__all__ = ["BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset", "RandomSampler",
           "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler", "Table", "TensorDataset",
           "TokenBatches", "WeightedRandomSampler", "default_collate", "default_convert", "get_worker_info", "mnist", "random_split",
           "read_csv", "read_table", "read_text", "split", "split_text"]


class TensorDataset(Dataset):
    """Dataset of tensors: TensorDataset(x, y) has tuples as examples, TensorDataset(x=x, y=y) dicts."""

    def __init__(self, *tensors, **fields):
        if bool(tensors) == bool(fields):
            raise TypeError("TensorDataset: expected tensors either all by position or all by keyword")
        named = fields or {str(i): tensor for i, tensor in enumerate(tensors)}
        super().__init__(named, bool(tensors))
        self.tensors = tuple(map(asarray, named.values()))
        self._prefixes = [f"{name}=" for name in fields] or [""] * len(tensors)

    def __repr__(self):
        tensors = [f"{prefix}{t.dtype.name} {list(t.shape)}" for prefix, t in zip(self._prefixes, self.tensors)]
        return f"{type(self).__name__}({counted(len(self), 'example')}: {', '.join(tensors)})"


_loader = Options("DataLoader", _data.loader_options)
_table, _csv = Options("read_table", _data.table_options), Options("read_csv", _data.csv_options)
_jsonl = Options("read_text", _data.jsonl_options)


def _in_threads(calls, threads, ahead, begin):
    """The results of calls in order, of which `threads` threads make up to `ahead` in advance; without threads
    each is made when it is needed. Each thread first calls begin(its number), and ends with the iterator."""
    if threads == 0:
        yield from (call() for call in calls)
        return
    from concurrent.futures import ThreadPoolExecutor

    mine, pending, process = set(), collections.deque(), os.getpid()
    numbers, own = itertools.count(), threading.local()

    def run(call):
        if not hasattr(own, "number"):
            own.number = next(numbers)
            if begin is not None:
                begin(own.number)
        return call()

    pool = ThreadPoolExecutor(threads, "gyre.data", lambda: mine.add(threading.current_thread()))

    def first():
        call, future = pending.popleft()
        return future.result() if os.getpid() == process else call()  # a forked child has no threads

    try:
        for call in calls:
            pending.append((call, pool.submit(run, call) if os.getpid() == process else None))
            if len(pending) > ahead:
                yield first()
        while pending:
            yield first()
    finally:  # which the garbage collector may run in one of the threads
        pool.shutdown(wait=threading.current_thread() not in mine and os.getpid() == process, cancel_futures=True)


def get_worker_info():
    """None, PyTorch's answer outside of worker processes: workers are threads, which share the dataset."""
    return None


class _Indices:
    """The indices of a dataset, as a dataset."""

    def __init__(self, dataset):
        self.dataset = dataset

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, i):
        return i


@contextlib.contextmanager
def _naming(rows):
    """Adds the indices rows() of a batch to its exception, unless that names the example which raised it."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "add_note") and not getattr(error, "__notes__", ()):
            with contextlib.suppress(Exception):  # of a dataset that shrank
                error.add_note(f"batch of dataset[i] for i in {rows()}")
        raise


_UNBOUNDED = 2 ** 40  # batches in an epoch of a dataset without indices

# Arguments of PyTorch's DataLoader without a meaning here: the values that change nothing, and what there is instead.
_FOREIGN = {"pin_memory": (False, "leave it out: there is no pinned memory"),
            "pin_memory_device": ("", "leave it out: there is no pinned memory"),
            "timeout": (0, "leave it out: workers are threads of this process"),
            "multiprocessing_context": (None, "leave it out: workers are threads of this process"),
            "persistent_workers": (False, "leave it out: workers are threads, which start fast"),
            "in_order": (True, "leave it out: batches come in the order of the sampler")}


def _own_options(given):
    """The options of a call without those of PyTorch that change nothing."""
    for name in _FOREIGN.keys() & given.keys():
        value, (neutral, hint) = given[name], _FOREIGN[name]
        if value is not None and value != neutral:
            raise ValueError(f"DataLoader: expected {name}={neutral!r}, got {value!r}; {hint}")
    unset = {name for name in ("shuffle", "prefetch_factor") if given.get(name) is None}  # PyTorch's default
    return {name: value for name, value in given.items() if name not in _FOREIGN and name not in unset}


class DataLoader(_data.DataLoader):
    """Batches of a dataset of gyre or of any object with __len__ and __getitem__, whose examples are dicts,
    tuples or single arrays; batches have the same format. Texts and nested examples make batches as in
    default_collate(). Batches are numbered across epochs, and the examples
    of a batch depend only on the seed and its number.

    `iter(loader)` begins the next epoch, or the current one if none of its batches has been taken; iterators do
    not affect each other.
    resume() continues at `cursor`, the number of the next batch of the newest iterator, which load_state_dict()
    or setting `loader.cursor` changes.

    As in PyTorch, `dataset` is the dataset, `sampler`, an iterable of indices with a length, replaces the order
    of an epoch, and `batch_sampler`, one of lists of indices, also the batch size. They are iterated once an epoch;
    resume() then skips the batches before the cursor, and at(), rows() and next() raise ValueError. `collate_fn`
    makes a batch of a list of examples of any type; without it tensors are stacked.

    batch_size=None: the examples one by one, arrays as tensors, or as collate_fn(example) converts them.

    With `num_workers`, threads load the batches of an iterator in advance, in the same order and with the same
    random numbers. An exception of dataset[i] is raised where its batch would have come, with i in a note (Python
    3.11), one of stacking or collate_fn with the indices of the batch. next() uses the threads for datasets of gyre
    only. `worker_init_fn(number)` is called first in each thread that runs Python code.

    `generator`, a gyre.Generator, draws the seed. An IterableDataset is read once an epoch; its batches have no
    numbers, as with a sampler."""

    def __init__(self, dataset, *args, sampler=None, batch_sampler=None, collate_fn=None, generator=None,
                 worker_init_fn=None, **kwargs):
        self._batched = not ("batch_size" in kwargs and kwargs["batch_size"] is None)
        if not self._batched:
            convert = default_convert if collate_fn is None else collate_fn
            if kwargs.get("drop_last"):
                raise ValueError("DataLoader: batch_size=None excludes drop_last")
            kwargs["batch_size"], collate_fn = 1, lambda examples: convert(examples[0])
        options, self._stream = _loader.bind(args, _own_options(kwargs)), is_stream(dataset)
        order, source = (sampler, "sampler") if batch_sampler is None else (batch_sampler, "batch_sampler")
        excluded = {"shuffle": options.get("shuffle") and order is not None}
        if batch_sampler is not None:
            excluded.update({name: options.get(name) for name in ("batch_size", "drop_last")})
            excluded["sampler"], options["batch_size"] = sampler is not None, 1
        if self._stream:
            excluded = {"shuffle": options.get("shuffle"), source: order is not None}
            order, source = range(_UNBOUNDED), "an IterableDataset"
        if generator is not None:
            excluded["seed"], source = "seed" in options, "generator" if "seed" in options else source
            with drawing_from(generator):
                options["seed"] = randint(0, 2 ** 63 - 1).item()
        for name in [name for name, given in excluded.items() if given]:
            raise ValueError(f"DataLoader: {name} excludes {source}")
        self.dataset, self.collate_fn, self.sampler, self.batch_sampler = dataset, collate_fn, sampler, batch_sampler
        self.worker_init_fn = worker_init_fn
        self._numbered = order is None
        dataset = dataset.data if isinstance(dataset, Table) else dataset
        stacks = self._numbered and collate_fn is None
        super().__init__(dataset if stacks else _Indices(dataset) if order is None else range(len(order)), options)
        self._stacks = stacks and not self._in_python  # or else the C++ loader has the order only
        self._per_epoch = super().__len__()

    def __len__(self):
        if not self._stream:
            return self._per_epoch
        size, drop_last = self.options["batch_size"], self.options["drop_last"]
        return (len(self.dataset) + (0 if drop_last else size - 1)) // size

    def __iter__(self):
        if self.cursor % self._per_epoch:
            self.cursor = (self.epoch + 1) * self._per_epoch
        return self.resume()

    def resume(self):
        """Iterates from `cursor` to the end of its epoch, as after load_state_dict()."""
        return self._batches(self.cursor, (self.epoch + 1) * self._per_epoch)

    def _batches(self, number, end):
        options = self.options
        threads = options["num_workers"] if self._in_python else 0
        calls = self._calls(number, end)
        ahead = threads * options["prefetch_factor"]
        with contextlib.closing(_in_threads(calls, threads, ahead, self.worker_init_fn)) as batches:
            for batch in batches:
                if self.cursor == number:  # no other iterator has begun
                    self.cursor = min(number + 1, end)
                number += 1
                yield batch
        if self.cursor == number:
            self.cursor = end  # the sampler gave fewer indices than its length

    def _calls(self, number, end):
        """Calls that make the batches from `number` on."""
        if self._numbered:
            for n in range(number, end):
                yield self.next if self.cursor == n and not self._in_python else functools.partial(self.at, n)
        else:
            for n, rows in enumerate(itertools.islice(self._sampled(), number % self._per_epoch, None), number):
                yield functools.partial(self._made, n, rows)

    def _sampled(self):
        if self.batch_sampler is not None:
            yield from self.batch_sampler
            return
        indices = iter(self.dataset if self._stream else self.sampler)
        size, drop_last = self.options["batch_size"], self.options["drop_last"]
        while rows := list(itertools.islice(indices, size)):
            if len(rows) == size or not drop_last:
                yield rows

    def _made(self, number, rows):
        def make():
            collate = stacked if self.collate_fn is None else self.collate_fn
            if self._stream:
                return collate(rows)
            with _naming(lambda: rows):
                if collate is not stacked:
                    return collate([_data._example(self.dataset, i) for i in rows])
                indices = [*map(operator.index, rows)]
                if getattr(type(self.dataset), "__getitem__", None) is Dataset.__getitem__:
                    return _data._batch(self.dataset, indices)
                return stacked([_data._example(self.dataset, i) for i in indices])

        return self._drawing(number, make)

    def next(self):
        """The next batch; advances the cursor, across epochs."""
        if self._stacks:
            with _naming(functools.partial(super().rows, self.cursor)):
                return super().next()
        number = self._take()
        try:
            return self.at(number)
        except BaseException:
            if self.cursor == number + 1:
                self.cursor = number
            raise

    def at(self, number):
        """Batch `number`; does not move the cursor."""
        if not self._stacks:
            return self._made(number, self.rows(number))
        with _naming(functools.partial(super().rows, number)):
            return super().at(number)

    def rows(self, number):
        """Indices of the examples in batch `number`."""
        if not self._numbered:
            source = "an IterableDataset" if self._stream else "a sampler"
            raise ValueError(f"DataLoader: the batches of {source} have no numbers; iterate over the loader")
        return super().rows(number)

    @property
    def batch_size(self):
        """Number of examples of a batch; None with a batch_sampler or without batches."""
        return self.options["batch_size"] if self.batch_sampler is None and self._batched else None

    @property
    def drop_last(self):
        """Whether a shorter last batch of an epoch is omitted."""
        return self.options["drop_last"]

    @property
    def num_workers(self):
        """Number of threads that load batches in advance."""
        return self.options["num_workers"]

    @property
    def epoch(self):
        """The epoch of the batch at the cursor, from 0."""
        return self.cursor // self._per_epoch

    def __repr__(self):
        orders = {name: order for name, order in (("sampler", self.sampler), ("batch_sampler", self.batch_sampler))
                  if order is not None}
        parts = [examples_of(self.dataset),
                 _loader.changed({**self.options, "batch_size": self.batch_size}, ("batch_size",)),
                 *(f"{name}={order if isinstance(order, Sampler) else sized(order, 'sample')}"
                   for name, order in orders.items()),
                 self.collate_fn and f"collate_fn={getattr(self.collate_fn, '__name__', self.collate_fn)}"]
        return f"{type(self).__name__}({', '.join(filter(None, parts))})"

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
    """The rows of a CSV file as a dataset: len(table) examples table[i], dicts of the features x and the target y.
    table["name"] is a column as it is in these rows, as read_csv returns it, and `columns` are the names of all
    columns. `encoding` is a dict that describes how columns become features; pass it to read_table to convert
    other rows in the same way. `notes` are the warnings of the reader about what it guessed."""

    def __init__(self, data, encoding, cells, notes):
        self.data, self.encoding, self._cells, self.notes = data, encoding, cells, notes

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        return self._cells.column(key) if isinstance(key, str) else self.data[key]

    def __contains__(self, name):
        return name in self.columns

    @property
    def columns(self):
        """Names of the columns of the file, the target included."""
        return self._cells.names()

    @property
    def classes(self):
        """Names of the classes, indexed by y; empty for regression."""
        return self.encoding["classes"]

    def __repr__(self):
        return f"Table({counted(len(self), 'row')}, columns=[{listed(self.columns)}])"

    def _repr_html_(self):
        names = self.columns[:MOST_COLUMNS + 1]  # one more, so that the table shows that some are left out
        columns = [self[name][:MOST_ROWS] for name in names]
        rows = zip(*(column if isinstance(column, list) else column.tolist() for column in columns))
        return table(list(rows), names, "row", len(self))


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
