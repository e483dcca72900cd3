"""Datasets made of other datasets, with PyTorch's names."""

import bisect
import collections.abc
import itertools
import math
import operator

import gyre
from gyre._display import examples_of
from gyre._gyre import _data
from gyre.data.samplers import permutation

Dataset = _data.Dataset
_example = Dataset.__getitem__


def _examples(self, i):
    """The example at an index; at those of a slice, list, vector or mask, their stacked values."""
    if isinstance(i, slice):
        return self.batch([*range(len(self))[i]])
    if hasattr(i, "__index__") and not getattr(i, "ndim", 0):
        return _example(self, operator.index(i))
    rows = gyre.asarray(i)
    return self.batch((rows.nonzero().reshape(-1) if rows.dtype == gyre.boolean else rows).tolist())


Dataset.__getitem__ = _examples  # of the base class, since a subclass that defines it is a dataset in Python


def _position(index, size):
    """An index from 0 on; negative ones count from the end."""
    i = operator.index(index)
    if not -size <= i < size:
        raise IndexError(f"expected an index below {size}, got {i}")
    return i % size


class Subset(Dataset):
    """The examples of a dataset at these indices."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        return self.dataset[operator.index(self.indices[_position(i, len(self))])]

    def __repr__(self):
        return f"{examples_of(self)[:-1]} of {examples_of(self.dataset)})"


class ConcatDataset(Dataset):
    """The examples of several datasets, one dataset after the other; also `a + b`."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        if not self.datasets:
            raise ValueError("ConcatDataset: expected at least one dataset")
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise TypeError("ConcatDataset: expected datasets with indices, got an IterableDataset; use ChainDataset")
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, i):
        i = _position(i, len(self))
        number = bisect.bisect_right(self.cumulative_sizes, i)
        return self.datasets[number][i - (self.cumulative_sizes[number - 1] if number else 0)]

    def __repr__(self):
        return f"ConcatDataset({', '.join(map(examples_of, self.datasets))})"


class StackDataset(Dataset):
    """The examples of several datasets side by side: tuples, or dicts if the datasets are passed by keyword."""

    def __init__(self, *datasets, **fields):
        if bool(datasets) == bool(fields):
            raise ValueError("StackDataset: expected datasets either all by position or all by keyword")
        self.datasets = fields or datasets
        sizes = [len(dataset) for dataset in fields.values() or datasets]
        if len(set(sizes)) > 1:
            raise ValueError(f"StackDataset: expected datasets of equal length, got lengths {sizes}")
        self._size = sizes[0]

    def __len__(self):
        return self._size

    def __getitem__(self, i):
        if isinstance(self.datasets, dict):
            return {name: dataset[i] for name, dataset in self.datasets.items()}
        return tuple(dataset[i] for dataset in self.datasets)

    def __repr__(self):
        if isinstance(self.datasets, dict):
            return f"StackDataset({', '.join(f'{name}={examples_of(part)}' for name, part in self.datasets.items())})"
        return f"StackDataset({', '.join(map(examples_of, self.datasets))})"


class IterableDataset(Dataset):
    """Base class of datasets without indices: a subclass defines __iter__, which gives the examples of an epoch."""

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} must define __iter__()")

    def __add__(self, other):
        return ChainDataset([self, other])


class ChainDataset(IterableDataset):
    """The examples of several iterable datasets, one dataset after the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self):
        return sum(map(len, self.datasets))

    def __repr__(self):
        return f"ChainDataset({', '.join(map(examples_of, self.datasets))})"


Dataset.__add__ = lambda self, other: ConcatDataset([self, other])


def random_split(dataset, lengths, generator=None):
    """Random split into a Subset of each length. Fractions that sum to 1 are rounded down, and the first subsets
    get one more example each until all are used."""
    lengths, size = list(lengths), len(dataset)
    if any(length < 0 for length in lengths):
        raise ValueError(f"random_split: expected lengths of 0 or more, got {lengths}")
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1 + 1e-9 and any(not isinstance(n, int) for n in lengths):
        parts = [math.floor(size * fraction) for fraction in lengths]
        for i in range(size - sum(parts)):
            parts[i % len(parts)] += 1
    else:
        parts = lengths
    if not all(isinstance(n, int) for n in parts) or sum(parts) != size:
        raise ValueError(f"random_split: expected lengths that sum to {size}, or fractions that sum to 1, "
                         f"got {lengths}")
    order = iter(permutation(size, generator))
    return [Subset(dataset, list(itertools.islice(order, n))) for n in parts]


def is_stream(dataset):
    """Whether a dataset has no indices."""
    iterable = isinstance(dataset, collections.abc.Iterable) and not hasattr(dataset, "__getitem__")
    return iterable or isinstance(dataset, IterableDataset)
