# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Bernoulli(Distribution):
    """1 with probability `probs`, the sigmoid of `logits`, else 0."""
    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Beta(Distribution):
    """Beta distributions: the first of two probabilities of a Dirichlet distribution. Draws have no
    gradients.
    """
    def __init__(self, concentration1: Any, concentration0: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Categorical(Distribution):
    """Class numbers with probabilities proportional to `probs`, or to the exponentials of `logits`,
    [..., classes].
    """
    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Dirichlet(Distribution):
    """Dirichlet distributions of probabilities [..., classes]. Draws have no gradients."""
    def __init__(self, concentration: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Distribution:
    """Base class of distributions of shape batch_shape + event_shape. A subclass defines rsample() or
    sample(), log_prob() and what else it knows in closed form.
    """
    def __init__(self, batch_shape: Any = (), event_shape: Any = ()) -> None: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
    @property
    def stddev(self) -> Any: ...
class Exponential(Distribution):
    """Exponential distributions with mean 1 / rate."""
    def __init__(self, rate: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def stddev(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Gamma(Distribution):
    """Gamma distributions with shape `concentration` and mean concentration / rate. Draws have no
    gradients.
    """
    def __init__(self, concentration: Any, rate: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Independent(Distribution):
    """A distribution whose last batch axes are part of the event: log_prob() and entropy() are their
    sums.
    """
    def __init__(self, base_distribution: Any, reinterpreted_batch_ndims: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    @property
    def has_rsample(self) -> Any: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Laplace(Distribution):
    """Laplace distributions around `loc` with mean absolute deviation `scale`."""
    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def mode(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class LogNormal(Normal):
    """Numbers whose logarithm has the normal distribution with mean `loc` and standard deviation
    `scale`.
    """
    @property
    def mean(self) -> Any: ...
    @property
    def mode(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
    def cdf(self, value: Any) -> Any:
        """Probability of a number up to value."""
class MultivariateNormal(Distribution):
    """Normal distributions of vectors with mean `loc` and a covariance matrix, or its lower Cholesky
    factor.
    """
    def __init__(self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def mode(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    @property
    def covariance_matrix(self) -> Any: ...
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Normal(Distribution):
    """Normal distributions with mean `loc` and standard deviation `scale`."""
    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def mode(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
    def cdf(self, value: Any) -> Any:
        """Probability of a number up to value."""
class OneHotCategorical(Distribution):
    """Categorical as one-hot vectors [..., classes]."""
    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws of shape sample_shape + batch_shape + event_shape, without gradients."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
class Uniform(Distribution):
    """Uniform distributions on [low, high)."""
    def __init__(self, low: Any, high: Any, validate_args: Any = None) -> None: ...
    @property
    def mean(self) -> Any: ...
    @property
    def variance(self) -> Any: ...
    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws that are differentiable with respect to the parameters."""
    def log_prob(self, value: Any) -> Any:
        """Logarithm of the density, or of the probability, at value."""
    def entropy(self) -> Any:
        """Entropy in nats."""
def kl_divergence(p: Any, q: Any) -> Any:
    """Kullback-Leibler divergence of q from p, two distributions of one class."""
