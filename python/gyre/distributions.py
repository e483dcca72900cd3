"""Probability distributions by the names of torch.distributions.

    policy = gyre.distributions.Categorical(logits=model(state))
    action = policy.sample()
    loss = -policy.log_prob(action) * reward
"""

import math

import gyre
from gyre._display import named
from gyre._gyre import asarray, no_grad

__all__ = ["Bernoulli", "Beta", "Categorical", "Dirichlet", "Distribution", "Exponential", "Gamma", "Independent", "Laplace",
           "LogNormal", "MultivariateNormal", "Normal", "OneHotCategorical", "Uniform", "kl_divergence"]


def _require(holds, owner, expected):
    if not bool(holds.all()):
        raise ValueError(f"{owner}: expected {expected}")


def _both(owner, probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError(f"{owner}: expected either probs or logits")


def _broadcast(*values):
    tensors = [asarray(x, dtype="f32") if isinstance(x, (int, float)) else asarray(x) for x in values]
    return gyre.broadcast_tensors(*tensors)


class Distribution:
    """Base class of distributions of shape batch_shape + event_shape. A subclass defines rsample() or sample(),
    log_prob() and what else it knows in closed form."""

    has_rsample = False

    def __init__(self, batch_shape=(), event_shape=()):
        self.batch_shape, self.event_shape = tuple(batch_shape), tuple(event_shape)

    def __repr__(self):
        shapes = {"batch_shape": self.batch_shape, "event_shape": self.event_shape}
        return f"{type(self).__name__}({named(**shapes)})"

    def sample(self, sample_shape=()):
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=()):
        """Draws that are differentiable with respect to the parameters."""
        raise NotImplementedError(f"{type(self).__name__} has no rsample(); use sample() and log_prob()")

    def log_prob(self, value):
        """Logarithm of the density, or of the probability, at value."""
        raise NotImplementedError(f"{type(self).__name__} does not define log_prob()")

    def entropy(self):
        """Entropy in nats."""
        raise NotImplementedError(f"{type(self).__name__} does not define entropy()")

    @property
    def stddev(self):
        """Standard deviation."""
        return self.variance.sqrt()

    def _shape(self, sample_shape):
        return (*sample_shape, *self.batch_shape, *self.event_shape)


class Normal(Distribution):
    """Normal distributions with mean `loc` and standard deviation `scale`."""

    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _broadcast(loc, scale)
        if validate_args is not False:
            _require(self.scale.detach() > 0, "Normal", "scale above 0")
        super().__init__(self.loc.shape)

    mean = mode = property(lambda self: self.loc, doc="the mean, which is the mode")
    variance = property(lambda self: self.scale ** 2, doc="the variance")

    def rsample(self, sample_shape=()):
        return self.loc + self.scale * gyre.randn(self._shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)

    def log_prob(self, value):
        return -((value - self.loc) ** 2) / (2 * self.variance) - self.scale.log() - math.log(2 * math.pi) / 2

    def entropy(self):
        return self.scale.log() + (1 + math.log(2 * math.pi)) / 2

    def cdf(self, value):
        """Probability of a number up to value."""
        return (1 + gyre.erf((value - self.loc) / (self.scale * math.sqrt(2)))) / 2

    def _kl(self, other):
        ratio, shift = (self.scale / other.scale) ** 2, ((self.loc - other.loc) / other.scale) ** 2
        return (ratio + shift - 1 - ratio.log()) / 2


class LogNormal(Normal):
    """Numbers whose logarithm has the normal distribution with mean `loc` and standard deviation `scale`."""

    mean = property(lambda self: (self.loc + self.scale ** 2 / 2).exp(), doc="the mean")
    mode = property(lambda self: (self.loc - self.scale ** 2).exp(), doc="the mode")
    variance = property(lambda self: (self.scale ** 2).expm1() * (2 * self.loc + self.scale ** 2).exp(), doc="the variance")

    def rsample(self, sample_shape=()):
        return super().rsample(sample_shape).exp()

    def log_prob(self, value):
        log = asarray(value).log()
        return -(((log - self.loc) / self.scale) ** 2) / 2 - self.scale.log() - math.log(2 * math.pi) / 2 - log

    def entropy(self):
        return super().entropy() + self.loc

    def cdf(self, value):
        """Probability of a number up to value."""
        return super().cdf(asarray(value).log())


class MultivariateNormal(Distribution):
    """Normal distributions of vectors with mean `loc` and a covariance matrix, or its lower Cholesky factor."""

    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if precision_matrix is not None or (covariance_matrix is None) == (scale_tril is None):
            raise ValueError("MultivariateNormal: expected either covariance_matrix or scale_tril; of a precision_matrix "
                             "pass the inverse")
        factor = gyre.cholesky(covariance_matrix) if scale_tril is None else asarray(scale_tril)
        loc = asarray(loc)
        batch = gyre.broadcast_shapes(loc.shape[:-1], factor.shape[:-2])
        self.loc = loc.expand((*batch, loc.shape[-1]))
        self.scale_tril = factor.expand((*batch, *factor.shape[-2:]))
        super().__init__(batch, loc.shape[-1:])

    mean = mode = property(lambda self: self.loc, doc="the mean, which is the mode")
    variance = property(lambda self: (self.scale_tril ** 2).sum(-1), doc="the variance of each component")
    covariance_matrix = property(lambda self: self.scale_tril @ self.scale_tril.mT, doc="the covariance matrix")

    def rsample(self, sample_shape=()):
        draws = gyre.randn(self._shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + (self.scale_tril @ draws.unsqueeze(-1)).squeeze(-1)

    def _log_det(self):
        return self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        distance = (value - self.loc).unsqueeze(-1)
        factor = self.scale_tril.expand((*distance.shape[:-2], *self.scale_tril.shape[-2:]))
        squares = (gyre.triangular_solve(factor, distance) ** 2).sum((-2, -1))
        return -(squares + self.loc.shape[-1] * math.log(2 * math.pi)) / 2 - self._log_det()

    def entropy(self):
        return self._log_det() + self.loc.shape[-1] * (1 + math.log(2 * math.pi)) / 2


class Laplace(Distribution):
    """Laplace distributions around `loc` with mean absolute deviation `scale`."""

    has_rsample = True

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _broadcast(loc, scale)
        if validate_args is not False:
            _require(self.scale.detach() > 0, "Laplace", "scale above 0")
        super().__init__(self.loc.shape)

    mean = mode = property(lambda self: self.loc, doc="the mean, which is the mode")
    variance = property(lambda self: 2 * self.scale ** 2, doc="the variance")

    def rsample(self, sample_shape=()):
        draws = gyre.rand(self._shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device) - 0.5
        eps = gyre.finfo(draws.dtype).eps
        return self.loc - self.scale * draws.sign() * gyre.log1p(-2 * draws.abs().clamp(max=(1 - eps) / 2))

    def log_prob(self, value):
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def entropy(self):
        return 1 + (2 * self.scale).log()


class Exponential(Distribution):
    """Exponential distributions with mean 1 / rate."""

    has_rsample = True

    def __init__(self, rate, validate_args=None):
        (self.rate,) = _broadcast(rate)
        if validate_args is not False:
            _require(self.rate.detach() > 0, "Exponential", "rate above 0")
        super().__init__(self.rate.shape)

    mean = stddev = property(lambda self: 1 / self.rate, doc="the mean, which is the standard deviation")
    variance = property(lambda self: 1 / self.rate ** 2, doc="the variance")

    def rsample(self, sample_shape=()):
        return gyre.zeros(self._shape(sample_shape), dtype=self.rate.dtype, device=self.rate.device).exponential_() / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def entropy(self):
        return 1 - self.rate.log()


def _gamma_draws(shape):
    """Numbers from gamma distributions with these shapes and rate 1, by rejection (Marsaglia and Tsang, 2000)."""
    a = shape.detach().to("f64")
    if not bool(((a > 0) & a.isfinite()).all()):
        raise ValueError("sample: expected finite concentrations above 0")
    d = gyre.where(a < 1, a + 1, a) - 1 / 3
    x, missing = gyre.zeros_like(d), gyre.ones_like(d, dtype="boolean")
    while bool(missing.any()):
        draws = gyre.randn(d.shape, dtype="f64")
        cube = (1 + draws / (9 * d).sqrt()) ** 3
        bound = draws ** 2 / 2 + d - d * cube + d * cube.clamp(min=1e-300).log()
        accepted = missing & (cube > 0) & ((1 - gyre.rand(d.shape, dtype="f64")).log() < bound)
        x, missing = gyre.where(accepted, d * cube, x), missing & ~accepted
    boost = gyre.where(a < 1, (1 - gyre.rand(d.shape, dtype="f64")) ** (1 / a), 1.0)
    return (x * boost).to(shape.dtype).clamp(min=gyre.finfo(shape.dtype).tiny)


class Gamma(Distribution):
    """Gamma distributions with shape `concentration` and mean concentration / rate. Draws have no gradients."""

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = _broadcast(concentration, rate)
        if validate_args is not False:
            _require((self.concentration.detach() > 0) & (self.rate.detach() > 0), "Gamma", "concentration and rate above 0")
        super().__init__(self.rate.shape)

    mean = property(lambda self: self.concentration / self.rate, doc="the mean")
    variance = property(lambda self: self.concentration / self.rate ** 2, doc="the variance")

    def sample(self, sample_shape=()):
        return _gamma_draws(self.concentration.expand(self._shape(sample_shape))) / self.rate.detach()

    def log_prob(self, value):
        a = self.concentration
        return a * self.rate.log() + gyre.xlogy(a - 1, asarray(value)) - self.rate * value - a.lgamma()

    def entropy(self):
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1 - a) * a.digamma()


class Dirichlet(Distribution):
    """Dirichlet distributions of probabilities [..., classes]. Draws have no gradients."""

    def __init__(self, concentration, validate_args=None):
        self.concentration = asarray(concentration)
        if self.concentration.ndim < 1:
            raise ValueError("Dirichlet: expected concentration [..., classes], got a 0-d tensor")
        if validate_args is not False:
            _require(self.concentration.detach() > 0, "Dirichlet", "concentration above 0")
        super().__init__(self.concentration.shape[:-1], self.concentration.shape[-1:])

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, keepdim=True), doc="the mean")

    @property
    def variance(self):
        """The variance."""
        return self.mean * (1 - self.mean) / (1 + self.concentration.sum(-1, keepdim=True))

    def sample(self, sample_shape=()):
        draws = _gamma_draws(self.concentration.expand(self._shape(sample_shape)))
        return draws / draws.sum(-1, keepdim=True)

    def _log_beta(self):
        return self.concentration.lgamma().sum(-1) - self.concentration.sum(-1).lgamma()

    def log_prob(self, value):
        return gyre.xlogy(self.concentration - 1, asarray(value)).sum(-1) - self._log_beta()

    def entropy(self):
        a, total = self.concentration, self.concentration.sum(-1)
        return self._log_beta() + (total - a.shape[-1]) * total.digamma() - ((a - 1) * a.digamma()).sum(-1)


class Beta(Distribution):
    """Beta distributions: the first of two probabilities of a Dirichlet distribution. Draws have no gradients."""

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = _broadcast(concentration1, concentration0)
        self._pair = Dirichlet(gyre.stack([self.concentration1, self.concentration0], axis=-1), validate_args)
        super().__init__(self.concentration1.shape)

    mean = property(lambda self: self._pair.mean[..., 0], doc="the mean")
    variance = property(lambda self: self._pair.variance[..., 0], doc="the variance")

    def sample(self, sample_shape=()):
        return self._pair.sample(sample_shape)[..., 0]

    def log_prob(self, value):
        value = asarray(value)
        return self._pair.log_prob(gyre.stack([value, 1 - value], axis=-1))

    def entropy(self):
        return self._pair.entropy()


class Uniform(Distribution):
    """Uniform distributions on [low, high)."""

    has_rsample = True

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = _broadcast(low, high)
        if validate_args is not False:
            _require(self.low.detach() < self.high.detach(), "Uniform", "low below high")
        super().__init__(self.low.shape)

    mean = property(lambda self: (self.low + self.high) / 2, doc="the mean")
    variance = property(lambda self: (self.high - self.low) ** 2 / 12, doc="the variance")

    def rsample(self, sample_shape=()):
        draws = gyre.rand(self._shape(sample_shape), dtype=self.low.dtype, device=self.low.device)
        return self.low + (self.high - self.low) * draws

    def log_prob(self, value):
        inside = (value >= self.low) & (value < self.high)
        return gyre.where(inside, -(self.high - self.low).log(), -math.inf)

    def entropy(self):
        return (self.high - self.low).log()


class Bernoulli(Distribution):
    """1 with probability `probs`, the sigmoid of `logits`, else 0."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        _both("Bernoulli", probs, logits)
        if logits is None:
            (self.probs,) = _broadcast(probs)
            if validate_args is not False:
                _require((self.probs.detach() >= 0) & (self.probs.detach() <= 1), "Bernoulli", "probs from 0 to 1")
            self.logits = gyre.logit(self.probs, eps=gyre.finfo(self.probs.dtype).eps)
        else:
            (self.logits,) = _broadcast(logits)
            self.probs = self.logits.sigmoid()
        super().__init__(self.probs.shape)

    mean = property(lambda self: self.probs, doc="the mean")
    variance = property(lambda self: self.probs * (1 - self.probs), doc="the variance")

    def sample(self, sample_shape=()):
        return gyre.bernoulli(self.probs.detach().expand(self._shape(sample_shape)))

    def _cross_entropy(self, share):
        return gyre.nn.functional.binary_cross_entropy_with_logits(*_broadcast(self.logits, share), reduction="none")

    def log_prob(self, value):
        return -self._cross_entropy(value)

    def entropy(self):
        return self._cross_entropy(self.probs)

    def _kl(self, other):
        return other._cross_entropy(self.probs) - self.entropy()


class Categorical(Distribution):
    """Class numbers with probabilities proportional to `probs`, or to the exponentials of `logits`, [..., classes]."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        _both("Categorical", probs, logits)
        if logits is None:
            probs = asarray(probs)
            if validate_args is not False:
                _require(probs.detach() >= 0, "Categorical", "probs of at least 0")
            self.probs = probs / probs.sum(-1, keepdim=True)
            eps = gyre.finfo(self.probs.dtype).eps
            self.logits = self.probs.clamp(eps, 1 - eps).log()
        else:
            self.logits = gyre.log_softmax(asarray(logits), axis=-1)
            self.probs = self.logits.exp()
        super().__init__(self.probs.shape[:-1])

    def sample(self, sample_shape=()):
        weights = self.probs.detach().reshape(-1, self.probs.shape[-1])
        draws = gyre.multinomial(weights, math.prod(sample_shape), replacement=True)
        return draws.transpose(0, 1).reshape(self._shape(sample_shape))

    def log_prob(self, value):
        value = asarray(value)
        shape = gyre.broadcast_shapes(value.shape, self.batch_shape)
        logits = self.logits.expand((*shape, self.logits.shape[-1]))
        return logits.gather(-1, value.long().expand(shape).unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        return -(self.probs * self.logits).sum(-1)

    def _kl(self, other):
        return (self.probs * (self.logits - other.logits)).sum(-1)


class OneHotCategorical(Distribution):
    """Categorical as one-hot vectors [..., classes]."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._classes = Categorical(probs, logits, validate_args)
        self.probs, self.logits = self._classes.probs, self._classes.logits
        super().__init__(self.probs.shape[:-1], self.probs.shape[-1:])

    mean = property(lambda self: self.probs, doc="the mean")
    variance = property(lambda self: self.probs * (1 - self.probs), doc="the variance")

    def sample(self, sample_shape=()):
        return gyre.one_hot(self._classes.sample(sample_shape), self.probs.shape[-1]).to(self.probs.dtype)

    def log_prob(self, value):
        return self._classes.log_prob(asarray(value).argmax(-1))

    def entropy(self):
        return self._classes.entropy()

    def _kl(self, other):
        return self._classes._kl(other._classes)


class Independent(Distribution):
    """A distribution whose last batch axes are part of the event: log_prob() and entropy() are their sums."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = base_distribution.batch_shape
        if not 0 <= reinterpreted_batch_ndims <= len(shape):
            raise ValueError(f"Independent: expected 0 to {len(shape)} axes, got {reinterpreted_batch_ndims}")
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        kept = len(shape) - reinterpreted_batch_ndims
        super().__init__(shape[:kept], shape[kept:] + base_distribution.event_shape)

    mean = property(lambda self: self.base_dist.mean, doc="the mean")
    variance = property(lambda self: self.base_dist.variance, doc="the variance")
    has_rsample = property(lambda self: self.base_dist.has_rsample, doc="whether rsample() is defined")

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def _summed(self, x):
        return x.sum(tuple(range(-self.reinterpreted_batch_ndims, 0))) if self.reinterpreted_batch_ndims else x

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())

    def _kl(self, other):
        return self._summed(kl_divergence(self.base_dist, other.base_dist))


def kl_divergence(p, q):
    """Kullback-Leibler divergence of q from p, two distributions of one class."""
    if type(p) is not type(q) or not hasattr(p, "_kl"):
        raise NotImplementedError(f"kl_divergence: not known for {type(p).__name__} and {type(q).__name__}")
    return p._kl(q)
