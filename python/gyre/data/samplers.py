"""Orders of the examples of a dataset, with PyTorch's names. Random ones draw from the generator that
gyre.manual_seed seeds, or from the gyre.Generator passed as `generator`."""

import itertools

import gyre
from gyre._display import sized
from gyre.random import drawing_from


def permutation(size, generator=None):
    """The numbers below `size` in random order."""
    with drawing_from(generator):
        return gyre.rand((size,), "f64").argsort().tolist()


def _check_count(owner, name, value):
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{owner}: expected {name} to be an int of at least 1, got {value if isinstance(value, int) else type(value).__name__}")


class Sampler:
    """Base class of samplers. A subclass defines __iter__, which gives the indices of an epoch, and __len__."""

    _settings = ()  # the attributes that repr() shows

    def __init__(self, data_source=None):
        pass

    def __repr__(self):
        return sized(self, "sample", **{name: getattr(self, name) for name in self._settings})

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} must define __iter__()")


class SequentialSampler(Sampler):
    """All examples in order."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __len__(self):
        return len(self.data_source)

    def __iter__(self):
        return iter(range(len(self)))


class RandomSampler(Sampler):
    """All examples in random order, in a new one each epoch. `num_samples` is the number of indices of an epoch, by
    default one per example; with `replacement` each is drawn from all examples."""

    _settings = ("replacement",)

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        if not isinstance(replacement, bool):
            raise TypeError(f"RandomSampler: expected replacement to be a bool, got {type(replacement).__name__}")
        _check_count("RandomSampler", "num_samples", len(data_source) if num_samples is None else num_samples)
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._count = num_samples

    @property
    def num_samples(self):
        """Number of indices of an epoch."""
        return len(self.data_source) if self._count is None else self._count

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        size, count = len(self.data_source), self.num_samples
        if self.replacement:
            with drawing_from(self.generator):
                return iter(gyre.randint(0, size, (count,)).tolist())
        orders = (permutation(size, self.generator) for _ in range(-(-count // size)))
        return itertools.islice(itertools.chain.from_iterable(orders), count)


class SubsetRandomSampler(Sampler):
    """These indices in random order, in a new one each epoch."""

    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __len__(self):
        return len(self.indices)

    def __iter__(self):
        return iter([self.indices[i] for i in permutation(len(self), self.generator)])


class WeightedRandomSampler(Sampler):
    """num_samples indices drawn with probabilities proportional to the weights of the examples."""

    _settings = ("replacement",)

    def __init__(self, weights, num_samples, replacement=True, generator=None):
        if not isinstance(replacement, bool):
            raise TypeError(f"WeightedRandomSampler: expected replacement to be a bool, got {type(replacement).__name__}")
        _check_count("WeightedRandomSampler", "num_samples", num_samples)
        self.weights, self.num_samples = gyre.asarray(weights, "f64"), num_samples
        self.replacement, self.generator = replacement, generator
        if self.weights.ndim != 1:
            raise ValueError("WeightedRandomSampler: expected one weight per example, "
                             f"got shape {list(self.weights.shape)}")
        positive = int((self.weights > 0).sum())
        if not bool(((self.weights >= 0) & self.weights.isfinite()).all()) or positive == 0:
            raise ValueError("WeightedRandomSampler: expected finite weights of 0 or more, not all 0")
        if not replacement and num_samples > positive:
            raise ValueError(f"WeightedRandomSampler: expected num_samples of at most {positive}, the number of "
                             f"positive weights, got {num_samples}; set replacement=True")

    def __len__(self):
        return self.num_samples

    def __iter__(self):
        with drawing_from(self.generator):
            if self.replacement:
                ends = self.weights.cumsum(0)
                draws = gyre.rand((self.num_samples,), "f64") * ends[-1]
                return iter(gyre.searchsorted(ends, draws, right=True).tolist())
            # The first arrivals of Poisson processes whose rates are the weights (Efraimidis and Spirakis 2006).
            times = -(1 - gyre.rand(self.weights.shape, "f64")).log() / self.weights
            return iter(gyre.where(self.weights > 0, times, float("inf")).argsort().tolist()[:self.num_samples])


class BatchSampler(Sampler):
    """Lists of batch_size indices of a sampler; `drop_last` omits a shorter last one."""

    def __init__(self, sampler, batch_size, drop_last):
        _check_count("BatchSampler", "batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise TypeError(f"BatchSampler: expected drop_last to be a bool, got {type(drop_last).__name__}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __repr__(self):
        return sized(self, "batch", sampler=self.sampler, batch_size=self.batch_size, drop_last=self.drop_last)

    def __len__(self):
        return len(self.sampler) // self.batch_size if self.drop_last else -(-len(self.sampler) // self.batch_size)

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch
