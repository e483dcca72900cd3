"""Random numbers by the names of numpy.random: floats are f64, integers i64. The streams are gyre's, not NumPy's."""

import math

import gyre
from gyre import _gyre
from gyre.numpy.dtypes import dtype as _dtype, operands, tensor
from gyre.numpy.manipulation import take

__all__ = ["Generator", "choice", "default_rng", "exponential", "normal", "permutation", "rand", "randint", "randn",
           "random", "random_sample", "seed", "shuffle", "standard_normal", "uniform"]


def _shape(size):
    return () if size is None else tuple(size) if isinstance(size, (tuple, list)) else (size,)


def _shape_of(size, *parameters):
    return _shape(size) if size is not None else gyre.broadcast_shapes(*[p.shape for p in parameters])


class Generator:
    """Random numbers from a generator with its own state."""

    def __init__(self, seed=None):
        self._generator = gyre.Generator()
        self._generator.seed() if seed is None else self._generator.manual_seed(seed)

    def __repr__(self):
        return repr(self._generator)

    def random(self, size=None, dtype=float):
        """Uniform numbers in [0, 1)."""
        return gyre.rand(_shape(size), dtype=_dtype(dtype), generator=self._generator)

    def standard_normal(self, size=None, dtype=float):
        """Numbers from the standard normal distribution."""
        return gyre.randn(_shape(size), dtype=_dtype(dtype), generator=self._generator)

    def uniform(self, low=0.0, high=1.0, size=None):
        """Uniform numbers in [low, high)."""
        low, high = operands(low, high, 1.0)[:2]
        return low + (high - low) * self.random(_shape_of(size, low, high))

    def normal(self, loc=0.0, scale=1.0, size=None):
        """Numbers from a normal distribution."""
        loc, scale = operands(loc, scale, 1.0)[:2]
        return loc + scale * self.standard_normal(_shape_of(size, loc, scale))

    def exponential(self, scale=1.0, size=None):
        """Numbers from an exponential distribution."""
        (scale,) = operands(scale)
        return -_gyre.log1p(-self.random(_shape_of(size, scale))) * scale

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        """Uniform integers in [low, high), or in [0, low) without `high`; up to the end with `endpoint`."""
        low, high = (0, low) if high is None else (low, high)
        return gyre.randint(low, high + int(endpoint), _shape(size), generator=self._generator).to(_dtype(dtype))

    def permutation(self, x):
        """The integers below x, or the slices of an array along axis 0, in random order."""
        if isinstance(x, int):
            return gyre.randperm(x, generator=self._generator)
        x = tensor(x)
        return take(x, gyre.randperm(x.shape[0], generator=self._generator), 0)

    def shuffle(self, x):
        """Reorders a tensor along axis 0, in place."""
        x.copy_(self.permutation(x))

    def choice(self, a, size=None, replace=True, p=None):
        """Elements of a vector, or integers below a, with equal probabilities or p."""
        items = _gyre.arange(a) if isinstance(a, int) else tensor(a)
        n, count = items.shape[0], math.prod(_shape(size))
        if p is not None:
            places = gyre.multinomial(tensor(p, "f64"), count, replace, generator=self._generator)
        elif replace:
            places = self.integers(n, size=count)
        elif count > n:
            raise ValueError(f"choice: expected a size of at most {n} without replacement, got {count}")
        else:
            places = gyre.randperm(n, generator=self._generator)[:count]
        return take(items, places.reshape(_shape(size)), 0)


def default_rng(seed=None):
    """Generator with a seed, or with one from the system."""
    return seed if isinstance(seed, Generator) else Generator(seed)


class _Global(Generator):
    def __init__(self):
        self._generator = None


_global = _Global()


def seed(seed):
    """Seeds gyre's global generator."""
    gyre.manual_seed(seed)


def rand(*shape):
    """Uniform numbers in [0, 1) of a shape."""
    return _global.random(shape)


def randn(*shape):
    """Numbers from the standard normal distribution of a shape."""
    return _global.standard_normal(shape)


def randint(low, high=None, size=None, dtype=int):
    """Uniform integers in [low, high), or in [0, low) without `high`."""
    return _global.integers(low, high, size, dtype)


random, random_sample, uniform, normal, standard_normal, exponential = (
    _global.random, _global.random, _global.uniform, _global.normal, _global.standard_normal, _global.exponential)
permutation, shuffle, choice = _global.permutation, _global.shuffle, _global.choice
