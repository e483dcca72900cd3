# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Generator:
    """Random numbers from a generator with its own state."""
    def __init__(self, seed: Any = None) -> None: ...
    def random(self, size: Any = None, dtype: Any = ...) -> Any:
        """Uniform numbers in [0, 1)."""
    def standard_normal(self, size: Any = None, dtype: Any = ...) -> Any:
        """Numbers from the standard normal distribution."""
    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Uniform numbers in [low, high)."""
    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from a normal distribution."""
    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from an exponential distribution."""
    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = ..., endpoint: Any = False) -> Any:
        """Uniform integers in [low, high), or in [0, low) without `high`; up to the end with `endpoint`."""
    def permutation(self, x: Any, axis: Any = 0) -> Any:
        """The integers below x, or the slices of an array along an axis, in random order."""
    def shuffle(self, x: Any, axis: Any = 0) -> Any:
        """Reorders a tensor along an axis, in place."""
    def permuted(self, x: Any, axis: Any = None) -> Any:
        """The elements, or those of each vector along an axis, in random order."""
    def choice(self, a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: Any = 0) -> Any:
        """Slices of an array along an axis, or integers below a, with equal probabilities or p."""
    def standard_exponential(self, size: Any = None) -> Any:
        """Numbers from the exponential distribution with mean 1."""
    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Numbers whose logarithms have a normal distribution."""
    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from a Laplace distribution."""
    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from a logistic distribution."""
    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from a Gumbel distribution of maxima."""
    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from a Rayleigh distribution."""
    def weibull(self, a: Any, size: Any = None) -> Any:
        """Numbers from the Weibull distribution with shape a and scale 1."""
    def pareto(self, a: Any, size: Any = None) -> Any:
        """Numbers from the Lomax distribution, Pareto's minus 1, with shape a."""
    def power(self, a: Any, size: Any = None) -> Any:
        """Numbers in [0, 1] with density a x ** (a - 1)."""
    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """Numbers from a triangular distribution on [left, right] with its peak at mode."""
    def standard_cauchy(self, size: Any = None) -> Any:
        """Numbers from the standard Cauchy distribution."""
    def geometric(self, p: Any, size: Any = None) -> Any:
        """Numbers of trials up to the first success, with probability p."""
    def multivariate_normal(self, mean: Any, cov: Any, size: Any = None) -> Any:
        """Vectors from a normal distribution with a mean and a covariance matrix."""
    def standard_gamma(self, shape: Any, size: Any = None) -> Any:
        """Numbers from the gamma distribution with a shape and scale 1."""
    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Numbers from the gamma distribution with a shape and a scale."""
    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Numbers from the chi-squared distribution with df degrees of freedom."""
    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """Numbers from the F distribution."""
    def standard_t(self, df: Any, size: Any = None) -> Any:
        """Numbers from Student's t distribution with df degrees of freedom."""
    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Numbers from the beta distribution."""
    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        """Vectors of probabilities from the Dirichlet distribution."""
    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Numbers of successes in n trials with probability p."""
    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Numbers of events in a Poisson process with mean lam."""
    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Numbers of failures before n successes with probability p."""
    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        """Numbers of n trials with each of the results, which have probabilities pvals."""
class RandomState(Generator):
    """Generator with the names of NumPy's older interface, which are functions of this module, too."""
    def seed(self, seed: Any = None) -> Any:
        """Starts again from a seed, or from one of the system."""
    def rand(self, *shape: Any) -> Any:
        """Uniform numbers in [0, 1) of a shape."""
    def randn(self, *shape: Any) -> Any:
        """Numbers from the standard normal distribution of a shape."""
    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = ...) -> Any:
        """Uniform integers in [low, high), or in [0, low) without `high`."""
    def random_sample(self, size: Any = None) -> Any:
        """Uniform numbers in [0, 1)."""
def beta(a: Any, b: Any, size: Any = None) -> Any:
    """Numbers from the beta distribution."""
def binomial(n: Any, p: Any, size: Any = None) -> Any:
    """Numbers of successes in n trials with probability p."""
def chisquare(df: Any, size: Any = None) -> Any:
    """Numbers from the chi-squared distribution with df degrees of freedom."""
def choice(a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: Any = 0) -> Any:
    """Slices of an array along an axis, or integers below a, with equal probabilities or p."""
def default_rng(seed: Any = None) -> Any:
    """Generator with a seed, or with one from the system."""
def dirichlet(alpha: Any, size: Any = None) -> Any:
    """Vectors of probabilities from the Dirichlet distribution."""
def exponential(scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from an exponential distribution."""
def f(dfnum: Any, dfden: Any, size: Any = None) -> Any:
    """Numbers from the F distribution."""
def gamma(shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from the gamma distribution with a shape and a scale."""
def geometric(p: Any, size: Any = None) -> Any:
    """Numbers of trials up to the first success, with probability p."""
def gumbel(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from a Gumbel distribution of maxima."""
def laplace(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from a Laplace distribution."""
def logistic(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from a logistic distribution."""
def lognormal(mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    """Numbers whose logarithms have a normal distribution."""
def multinomial(n: Any, pvals: Any, size: Any = None) -> Any:
    """Numbers of n trials with each of the results, which have probabilities pvals."""
def multivariate_normal(mean: Any, cov: Any, size: Any = None) -> Any:
    """Vectors from a normal distribution with a mean and a covariance matrix."""
def negative_binomial(n: Any, p: Any, size: Any = None) -> Any:
    """Numbers of failures before n successes with probability p."""
def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from a normal distribution."""
def pareto(a: Any, size: Any = None) -> Any:
    """Numbers from the Lomax distribution, Pareto's minus 1, with shape a."""
def permutation(x: Any, axis: Any = 0) -> Any:
    """The integers below x, or the slices of an array along an axis, in random order."""
def poisson(lam: Any = 1.0, size: Any = None) -> Any:
    """Numbers of events in a Poisson process with mean lam."""
def power(a: Any, size: Any = None) -> Any:
    """Numbers in [0, 1] with density a x ** (a - 1)."""
def rand(*shape: Any) -> Any:
    """Uniform numbers in [0, 1) of a shape."""
def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = ...) -> Any:
    """Uniform integers in [low, high), or in [0, low) without `high`."""
def randn(*shape: Any) -> Any:
    """Numbers from the standard normal distribution of a shape."""
def random(size: Any = None, dtype: Any = ...) -> Any:
    """Uniform numbers in [0, 1)."""
def random_sample(size: Any = None) -> Any:
    """Uniform numbers in [0, 1)."""
def rayleigh(scale: Any = 1.0, size: Any = None) -> Any:
    """Numbers from a Rayleigh distribution."""
def seed(seed: Any = None) -> Any:
    """Seeds gyre's global generator, without a seed with one from the system."""
def shuffle(x: Any, axis: Any = 0) -> Any:
    """Reorders a tensor along an axis, in place."""
def standard_cauchy(size: Any = None) -> Any:
    """Numbers from the standard Cauchy distribution."""
def standard_exponential(size: Any = None) -> Any:
    """Numbers from the exponential distribution with mean 1."""
def standard_gamma(shape: Any, size: Any = None) -> Any:
    """Numbers from the gamma distribution with a shape and scale 1."""
def standard_normal(size: Any = None, dtype: Any = ...) -> Any:
    """Numbers from the standard normal distribution."""
def standard_t(df: Any, size: Any = None) -> Any:
    """Numbers from Student's t distribution with df degrees of freedom."""
def triangular(left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    """Numbers from a triangular distribution on [left, right] with its peak at mode."""
def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    """Uniform numbers in [low, high)."""
def weibull(a: Any, size: Any = None) -> Any:
    """Numbers from the Weibull distribution with shape a and scale 1."""
