"""Random numbers: of other shapes and distributions."""

import builtins
import math
import secrets

from gyre import _gyre
from gyre._gyre import asarray, get_rng_state
from gyre.random import Generator, drawing_from

_op_randint, _op_bernoulli, _op_rand, _op_randn = _gyre.randint, _gyre.bernoulli, _gyre.rand, _gyre.randn


def _shape_of(size):
    """The shape, and a dtype after it: rand(2, 3), rand((2, 3), "f64")."""
    dtype = size[-1] if size and isinstance(size[-1], (str, type, _gyre.DType)) else None
    size = size if dtype is None else size[:-1]
    return size[0] if len(size) == 1 and isinstance(size[0], (list, tuple)) else size, dtype


def _sampler(op, text):
    def draw(*size, shape=None, dtype=None, device=None, requires_grad=False, generator=None, seed=None, offset=None):
        if shape is None:
            shape, positional = _shape_of(size)
            dtype = positional if dtype is None else dtype
        given = {k: v for k, v in (("dtype", dtype), ("seed", seed), ("offset", offset)) if v is not None}
        with drawing_from(generator):
            x = op(shape=shape, **given)
        x = x if device is None else x.to(device=device)
        return x.requires_grad_() if requires_grad else x

    draw.__name__ = draw.__qualname__ = op.name
    draw.__doc__ = f"{text} of a shape: {op.name}(2, 3) or {op.name}((2, 3)); f32 by default."
    return draw


rand = _sampler(_op_rand, "Uniform numbers in [0, 1)")
randn = _sampler(_op_randn, "Numbers from the standard normal distribution")


def _like(draw):
    def like(input, dtype=None, device=None, requires_grad=False):
        x = asarray(input)
        return draw(shape=x.shape, dtype=x.dtype if dtype is None else dtype, device=x.device if device is None else device,
                    requires_grad=requires_grad)

    like.__name__ = like.__qualname__ = draw.__name__ + "_like"
    like.__doc__ = f"{draw.__name__} of the shape and dtype of a tensor."
    return like


rand_like, randn_like = _like(rand), _like(randn)


def randint(*args, low=None, high=None, size=None, shape=None, dtype=None, device=None, requires_grad=False, generator=None,
            seed=None, offset=None):
    """Uniform integers in [low, high): randint(high, size) or randint(low, high, size); low is 0 by default."""
    args, size = list(args), shape if size is None else size
    if args and isinstance(args[-1], (list, tuple)) and size is None:
        size = args.pop()
    elif len(args) == 3 and size is None:
        size = args.pop()
    if len(args) > 2:
        raise TypeError(f"randint: expected low, high and size, got {len(args)} numbers")
    if len(args) == 2:
        low, high = args
    elif args and high is None:
        high = args[0]
    elif args:
        low = args[0]
    given = {k: v for k, v in (("dtype", dtype), ("seed", seed), ("offset", offset)) if v is not None}
    with drawing_from(generator):
        x = _op_randint(0 if low is None else low, 2 if high is None else high, () if size is None else size, **given)
    return x if device is None else x.to(device=device)


def randint_like(input, *args, low=None, high=None, dtype=None, device=None, requires_grad=False):
    """Uniform integers of the shape, dtype and device of a tensor."""
    x = asarray(input)
    draws = randint(*args, low=low, high=high, size=x.shape, dtype="i64").to(x.dtype if dtype is None else dtype)
    draws = draws.to(device=x.device if device is None else device)
    return draws.requires_grad_() if requires_grad else draws


def randperm(n, *, generator=None, dtype=None, device=None):
    """Random permutation of 0 to n - 1."""
    with drawing_from(generator):
        order = _gyre.argsort(_op_rand(shape=(n,), dtype="f64"))
    order = order if dtype is None else order.to(dtype)
    return order if device is None else order.to(device=device)


def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None, device=None, requires_grad=False):
    """Numbers from normal distributions with these means and standard deviations: numbers or tensors."""
    centre, scale = asarray(mean), asarray(std)
    _require(scale >= 0, "normal", "std of 0 or more")
    shape = (centre * scale).shape if size is None else size
    kind = next((x.dtype for x in (mean, std) if hasattr(x, "dtype")), None) if dtype is None else dtype
    with drawing_from(generator):
        draws = _op_randn(shape=shape, **({} if kind is None else {"dtype": kind}))
    x = draws * std + mean
    x = x if device is None else x.to(device=device)
    return x.requires_grad_() if requires_grad else x


def bernoulli(input=0.5, p=None, *, shape=None, generator=None, **options):
    """1 with the probability of each element of a tensor; of a number p, booleans of a shape."""
    if isinstance(input, (int, float)):
        with drawing_from(generator):
            return _op_bernoulli(input if p is None else p, **({} if shape is None else {"shape": shape}), **options)
    x = asarray(input)
    _require_probabilities(x if p is None else asarray(p), "bernoulli")
    with drawing_from(generator):
        draws = _op_rand(shape=x.shape, dtype=x.dtype)
    return (draws < (x if p is None else p)).to(x.dtype)


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Indices drawn with probabilities proportional to the rows of weights [..., n]."""
    weights = asarray(input)
    if weights.ndim not in (1, 2):
        raise ValueError(f"multinomial: expected weights [n] or [rows, n], got {list(weights.shape)}")
    w = weights.detach().to("f64")
    if bool(_gyre.any(w < 0)) or not bool(_gyre.all(_gyre.isfinite(w))) or bool(_gyre.any(w.sum(axis=-1) == 0)):
        raise ValueError("multinomial: expected weights of at least 0, finite, with a positive sum in each row")
    if not replacement and int(_gyre.min((w > 0).sum(axis=-1))) < num_samples:
        raise ValueError(f"multinomial: cannot draw {num_samples} without replacement from fewer positive weights")
    with drawing_from(generator):
        if replacement:
            ends = w.cumsum(axis=-1)
            draws = _op_rand(shape=(*w.shape[:-1], num_samples), dtype="f64") * ends[..., -1:]
            return _gyre.searchsorted(ends, draws, True)
        # the largest log(u) / w are a sample without replacement (Efraimidis and Spirakis, 2006)
        keys = _gyre.log(_op_rand(shape=w.shape, dtype="f64")) / w
    return _gyre.topk(_gyre.where(w > 0, keys, -float("inf")), num_samples).indices


# ---- methods that fill a tensor ----


def _require(holds, name, expected):
    if not bool(holds.all()):
        raise ValueError(f"{name}: expected {expected}")


def _require_probabilities(p, name):
    _require((p >= 0) & (p <= 1), name, "probabilities from 0 to 1")


def _filled(x, draws, generator):
    with drawing_from(generator):
        return x.copy_(draws())


def uniform_(self, from_=0.0, to=1.0, *, generator=None, **bounds):
    """Fills the tensor with uniform numbers in [from, to)."""
    low = bounds.pop("from", from_)
    if not low <= to:
        raise ValueError(f"uniform_: expected from of at most to, got {low} and {to}")
    return _filled(self, lambda: _op_rand(shape=self.shape) * (to - low) + low, generator)


def normal_(self, mean=0.0, std=1.0, *, generator=None):
    """Fills the tensor with numbers from a normal distribution."""
    if not std >= 0:
        raise ValueError(f"normal_: expected std of 0 or more, got {std}")
    return _filled(self, lambda: _op_randn(shape=self.shape) * std + mean, generator)


def exponential_(self, lambd=1.0, *, generator=None):
    """Fills the tensor with numbers from an exponential distribution with rate lambd."""
    if not lambd > 0:
        raise ValueError(f"exponential_: expected lambd above 0, got {lambd}")
    return _filled(self, lambda: -_gyre.log1p(-_op_rand(shape=self.shape, dtype="f64")) / lambd, generator)


def log_normal_(self, mean=1.0, std=2.0, *, generator=None):
    """Fills the tensor with numbers whose logarithm has a normal distribution."""
    return _filled(self, lambda: _gyre.exp(_op_randn(shape=self.shape) * std + mean), generator)


def bernoulli_(self, p=0.5, *, generator=None):
    """Fills the tensor with 1 with probability p, else 0."""
    _require_probabilities(asarray(p).detach(), "bernoulli_")
    return _filled(self, lambda: _op_rand(shape=self.shape) < p, generator)


def random_(self, from_=0, to=None, *, generator=None):
    """Fills the tensor with uniform integers in [from, to); random_(to) counts from 0."""
    low, high = (0, from_) if to is None and from_ else (from_, to)
    limit = 2 ** 24 if self.is_floating_point() else builtins.min(2 ** 31, 2 ** (8 * self.itemsize - 1))
    return _filled(self, lambda: _op_randint(low, limit if high is None else high, self.shape), generator)


def geometric_(self, p, *, generator=None):
    """Fills the tensor with numbers of trials until the first success, each with probability p."""
    if not 0 < p < 1:
        raise ValueError(f"geometric_: expected p between 0 and 1, got {p}")
    return _filled(self, lambda: _gyre.floor(_gyre.log1p(-_op_rand(shape=self.shape, dtype="f64")) / math.log1p(-p)) + 1, generator)


def cauchy_(self, median=0.0, sigma=1.0, *, generator=None):
    """Fills the tensor with numbers from a Cauchy distribution."""
    if not sigma > 0:
        raise ValueError(f"cauchy_: expected sigma above 0, got {sigma}")
    return _filled(self, lambda: _gyre.tan((_op_rand(shape=self.shape, dtype="f64") - 0.5) * math.pi) * sigma + median, generator)


def seed() -> "int":
    """Seeds the generator of the thread with a number from the operating system, and returns that number."""
    number = secrets.randbits(63)
    _gyre.manual_seed(number)
    return number


def initial_seed() -> "int":
    """The seed of the thread's random number generator."""
    return int(get_rng_state()[0])


functions = [Generator, rand, randn, rand_like, randn_like, randint, randint_like, randperm, normal, bernoulli, multinomial,
             initial_seed, seed]
methods = [uniform_, normal_, exponential_, log_normal_, bernoulli_, geometric_, cauchy_, random_, multinomial]
