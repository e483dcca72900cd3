"""Random numbers by the names of numpy.random: floats are f64, integers i64. The streams are gyre's, not NumPy's."""

import math

import gyre
from gyre import _gyre
from gyre.numpy.dtypes import dtype as _dtype, operands, tensor
from gyre.numpy.manipulation import take


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

    def permutation(self, x, axis=0):
        """The integers below x, or the slices of an array along an axis, in random order."""
        if isinstance(x, int):
            return gyre.randperm(x, generator=self._generator)
        x = tensor(x)
        return take(x, gyre.randperm(x.shape[axis], generator=self._generator), axis)

    def shuffle(self, x, axis=0):
        """Reorders a tensor along an axis, in place."""
        x.copy_(self.permutation(x, axis))

    def permuted(self, x, axis=None):
        """The elements, or those of each vector along an axis, in random order."""
        x = tensor(x)
        rows, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
        order = _gyre.argsort(self.random(rows.shape), axis)
        return _gyre.gather(rows, order, axis=axis).reshape(x.shape)

    def choice(self, a, size=None, replace=True, p=None, axis=0):
        """Slices of an array along an axis, or integers below a, with equal probabilities or p."""
        items = _gyre.arange(a) if isinstance(a, int) else tensor(a)
        n, count = items.shape[axis], math.prod(_shape(size))
        if p is not None:
            p = tensor(p, "f64")
            _require("choice", f"p of {n} probabilities with a sum of 1", p.shape == (n,) and abs(float(p.sum()) - 1) < 1e-8)
            places = gyre.multinomial(p, count, replace, generator=self._generator)
        elif replace:
            places = self.integers(n, size=count)
        elif count > n:
            raise ValueError(f"choice: expected a size of at most {n} without replacement, got {count}")
        else:
            places = gyre.randperm(n, generator=self._generator)[:count]
        return take(items, places.reshape(_shape(size)), axis)

    # ---- distributions by formulas of exponential and normal numbers ----

    def _with(self, draw, size, *parameters):
        """Numbers draw(shape), and the parameters as f64 broadcast to that shape."""
        parameters = [tensor(p, "f64") for p in parameters]
        shape = _shape_of(size, *parameters)
        return draw(shape), *[p.expand(shape) for p in parameters]

    def _exponentials(self, shape):
        return -_gyre.log1p(-self.random(shape))

    def standard_exponential(self, size=None):
        """Numbers from the exponential distribution with mean 1."""
        return self._exponentials(_shape(size))

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """Numbers whose logarithms have a normal distribution."""
        return _gyre.exp(self.normal(mean, sigma, size))

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Numbers from a Laplace distribution."""
        e, loc, scale = self._with(lambda shape: self._exponentials(shape) - self._exponentials(shape), size, loc, scale)
        return loc + scale * e

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """Numbers from a logistic distribution."""
        e, loc, scale = self._with(lambda shape: self._exponentials(shape) / self._exponentials(shape), size, loc, scale)
        return loc + scale * _gyre.log(e)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """Numbers from a Gumbel distribution of maxima."""
        e, loc, scale = self._with(self._exponentials, size, loc, scale)
        return loc - scale * _gyre.log(e)

    def rayleigh(self, scale=1.0, size=None):
        """Numbers from a Rayleigh distribution."""
        e, scale = self._with(self._exponentials, size, scale)
        return scale * _gyre.sqrt(2 * e)

    def weibull(self, a, size=None):
        """Numbers from the Weibull distribution with shape a and scale 1."""
        e, a = self._with(self._exponentials, size, a)
        return _gyre.pow(e, 1 / a)

    def pareto(self, a, size=None):
        """Numbers from the Lomax distribution, Pareto's minus 1, with shape a."""
        e, a = self._with(self._exponentials, size, a)
        return _gyre.expm1(e / a)

    def power(self, a, size=None):
        """Numbers in [0, 1] with density a x ** (a - 1)."""
        u, a = self._with(self.random, size, a)
        return _gyre.pow(u, 1 / a)

    def triangular(self, left, mode, right, size=None):
        """Numbers from a triangular distribution on [left, right] with its peak at mode."""
        u, left, mode, right = self._with(self.random, size, left, mode, right)
        width, rise = right - left, mode - left
        below = u * width < rise
        return _gyre.where(below, left + _gyre.sqrt(u * width * rise), right - _gyre.sqrt((1 - u) * width * (right - mode)))

    def standard_cauchy(self, size=None):
        """Numbers from the standard Cauchy distribution."""
        return self.standard_normal(size) / self.standard_normal(size)

    def geometric(self, p, size=None):
        """Numbers of trials up to the first success, with probability p."""
        e, p = self._with(self._exponentials, size, p)
        _require("geometric", "p in (0, 1]", (p > 0) & (p <= 1))
        return _gyre.maximum(_gyre.ceil(e / -_gyre.log1p(-p)), 1).to("i64")

    def multivariate_normal(self, mean, cov, size=None):
        """Vectors from a normal distribution with a mean and a covariance matrix."""
        mean, cov = tensor(mean, "f64"), tensor(cov, "f64")
        values, vectors = gyre.linalg.eigh(cov)
        _require("multivariate_normal", "a positive semidefinite cov", values >= -1e-8 * _gyre.max(_gyre.abs(values)))
        factor = vectors * _gyre.sqrt(_gyre.maximum(values, 0.0))
        return mean + self.standard_normal((*_shape(size), mean.shape[0])) @ factor.T

    # ---- distributions by gamma numbers ----

    def _gammas(self, shape):
        """Numbers from gamma distributions with these shapes, by rejection (Marsaglia and Tsang, 2000)."""
        _require("gamma", "a finite shape above 0", (shape > 0) & _gyre.isfinite(shape))
        d = _gyre.where(shape < 1, shape + 1, shape) - 1 / 3
        result = missing = _gyre.full(shape.shape, math.nan, dtype="f64")
        while missing.numel() and bool(_gyre.any(_gyre.isnan(missing))):
            x, e = self.standard_normal(shape.shape), self._exponentials(shape.shape)
            v = 1 + x / _gyre.sqrt(9 * d)
            v = v * v * v
            accepted = (v > 0) & (-e < x * x / 2 + d - d * v + d * _gyre.log(_gyre.maximum(v, 1e-300)))
            result = missing = _gyre.where(accepted & _gyre.isnan(missing), d * v, missing)
        return _gyre.where(shape < 1, result * _gyre.exp(-self._exponentials(shape.shape) / shape), result)

    def standard_gamma(self, shape, size=None):
        """Numbers from the gamma distribution with a shape and scale 1."""
        return self._with(lambda wanted: self._gammas(tensor(shape, "f64").expand(wanted)), size, shape)[0]

    def gamma(self, shape, scale=1.0, size=None):
        """Numbers from the gamma distribution with a shape and a scale."""
        e, scale, _ = self._with(lambda wanted: self._gammas(tensor(shape, "f64").expand(wanted)), size, scale, shape)
        return scale * e

    def chisquare(self, df, size=None):
        """Numbers from the chi-squared distribution with df degrees of freedom."""
        return 2 * self.standard_gamma(tensor(df, "f64") / 2, size)

    def f(self, dfnum, dfden, size=None):
        """Numbers from the F distribution."""
        n, m = gyre.broadcast_tensors(tensor(dfnum, "f64"), tensor(dfden, "f64"))
        return self.chisquare(n, size) / n / (self.chisquare(m, size) / m)

    def standard_t(self, df, size=None):
        """Numbers from Student's t distribution with df degrees of freedom."""
        x = self.chisquare(df, size) / df
        return self.standard_normal(x.shape) / _gyre.sqrt(x)

    def beta(self, a, b, size=None):
        """Numbers from the beta distribution."""
        a, b = gyre.broadcast_tensors(tensor(a, "f64"), tensor(b, "f64"))
        x = self.standard_gamma(a, size)
        return x / (x + self.standard_gamma(b, size))

    def dirichlet(self, alpha, size=None):
        """Vectors of probabilities from the Dirichlet distribution."""
        alpha = tensor(alpha, "f64")
        x = self.standard_gamma(alpha, (*_shape(size), alpha.shape[0]))
        return x / _gyre.sum(x, -1, True)

    # ---- counts ----

    def binomial(self, n, p, size=None):
        """Numbers of successes in n trials with probability p."""
        n, p = tensor(n, "f64"), tensor(p, "f64")
        shape = _shape_of(size, n, p)
        n, p = n.expand(shape), p.expand(shape)
        _require("binomial", "n of at least 0 and p in [0, 1]", (n >= 0) & (p >= 0) & (p <= 1))
        total = _gyre.zeros(shape, dtype="f64")
        while n.numel() and bool(_gyre.any(n > 16)):  # halves the trials at the order statistic of n uniform numbers
            many = n > 16
            middle = _gyre.floor(n / 2) + 1
            y = self.beta(_gyre.where(many, middle, 1.0), _gyre.where(many, n + 1 - middle, 1.0))
            left = y >= p
            total = total + _gyre.where(many & ~left, middle, 0.0)
            p = _gyre.where(many, _gyre.where(left, p / y, _gyre.minimum((p - y) / (1 - y), 1.0)), p)
            n = _gyre.where(many, _gyre.where(left, middle - 1, n - middle), n)
        for trial in range(16):
            total = total + ((n > trial) & (self.random(shape) < p)).to("f64")
        return total.to("i64")

    def poisson(self, lam=1.0, size=None):
        """Numbers of events in a Poisson process with mean lam."""
        lam = tensor(lam, "f64")
        lam = lam.expand(_shape_of(size, lam))
        _require("poisson", "a finite lam of at least 0", (lam >= 0) & _gyre.isfinite(lam))
        total = _gyre.zeros(lam.shape, dtype="f64")
        while lam.numel() and bool(_gyre.any(lam > 16)):  # to the time of the m-th event (Ahrens and Dieter, 1974)
            many = lam > 16
            m = _gyre.where(many, _gyre.floor(lam * 7 / 8), 1.0)
            x = self._gammas(m)
            inside = x <= lam
            events = _gyre.where(inside, m, self.binomial(m - 1, _gyre.minimum(lam / x, 1.0)).to("f64"))
            total = total + _gyre.where(many, events, 0.0)
            lam = _gyre.where(many, _gyre.where(inside, lam - x, 0.0), lam)
        time = self._exponentials(lam.shape)
        while lam.numel() and bool(_gyre.any(time < lam)):
            total, time = total + (time < lam).to("f64"), time + self._exponentials(lam.shape)
        return total.to("i64")

    def negative_binomial(self, n, p, size=None):
        """Numbers of failures before n successes with probability p."""
        n, p = gyre.broadcast_tensors(tensor(n, "f64"), tensor(p, "f64"))
        _require("negative_binomial", "p above 0 and at most 1", (p > 0) & (p <= 1))
        return self.poisson(self.standard_gamma(n, size) * (1 - p) / p)

    def multinomial(self, n, pvals, size=None):
        """Numbers of n trials with each of the results, which have probabilities pvals."""
        p = tensor(pvals, "f64")
        _require("multinomial", "pvals of at least 0 with a sum of 1", (p >= 0) & (_gyre.abs(_gyre.sum(p) - 1) < 1e-8))
        left, rest, counts = _gyre.full(_shape(size), n, dtype="i64"), 1.0, []
        for share in p.tolist()[:-1]:
            counts.append(self.binomial(left, min(max(share / rest, 0.0), 1.0) if rest > 0 else 0.0))
            left, rest = left - counts[-1], rest - share
        return _gyre.stack(*counts, left, axis=-1)


def _require(name, expected, holds):
    if not bool(_gyre.all(tensor(holds))):
        raise ValueError(f"{name}: expected {expected}")


class RandomState(Generator):
    """Generator with the names of NumPy's older interface, which are functions of this module, too."""

    def seed(self, seed=None):
        """Starts again from a seed, or from one of the system."""
        self.__init__(seed)

    def rand(self, *shape):
        """Uniform numbers in [0, 1) of a shape."""
        return self.random(shape)

    def randn(self, *shape):
        """Numbers from the standard normal distribution of a shape."""
        return self.standard_normal(shape)

    def randint(self, low, high=None, size=None, dtype=int):
        """Uniform integers in [low, high), or in [0, low) without `high`."""
        return self.integers(low, high, size, dtype)

    def random_sample(self, size=None):
        """Uniform numbers in [0, 1)."""
        return self.random(size)


def default_rng(seed=None):
    """Generator with a seed, or with one from the system."""
    return seed if isinstance(seed, Generator) else Generator(seed)


class _Global(RandomState):
    """gyre's global generator."""

    def __init__(self):
        self._generator = None

    def seed(self, seed=None):
        """Seeds gyre's global generator, without a seed with one from the system."""
        gyre.manual_seed(gyre.Generator().seed() if seed is None else seed)


_global = _Global()
_names = [name for kind in (Generator, RandomState) for name in vars(kind) if not name.startswith("_")]
_functions = {name: getattr(_global, name) for name in _names if name not in ("integers", "permuted")}
globals().update(_functions)
__all__ = sorted(["Generator", "RandomState", "default_rng", *_functions])
