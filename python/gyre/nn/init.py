"""Parameter initialisers: `xavier(shape, gain)` creates a parameter, `xavier_(tensor, gain)` fills a tensor in
place. PyTorch's initialisers have its names and arguments: `kaiming_uniform_(tensor, nonlinearity="relu")`. All draw
from the generator that gyre.manual_seed seeds, or from the gyre.Generator passed as `generator`."""

import math
import reprlib

import gyre
from gyre._gyre import Tensor, _nn
from gyre.random import drawing_from


def _check(name, holds, expected, value):
    if not holds:
        raise ValueError(f"{name}: expected {expected}, got {value}")


def _shape_of(name, tensor, least=0, most=math.inf):
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{name}: expected a gyre.Tensor, got {type(tensor).__name__}")
    axes = f"{least}" if least == most else f"at least {least}" if most == math.inf else f"{least} to {most}"
    _check(name, least <= tensor.ndim <= most, f"a tensor with {axes} axes", f"shape {list(tensor.shape)}")
    return tensor.shape


def _fill(name, tensor, values, generator=None):
    """Assigns values(dtype) to the tensor; floating-point numbers of 16 bits are drawn as f32."""
    _shape_of(name, tensor)
    with drawing_from(generator), gyre.no_grad():
        _nn.assign(tensor, values("f64" if tensor.dtype == gyre.f64 else "f32"))
    return tensor


def _calculate_fan_in_and_fan_out(tensor):
    """Numbers of inputs of an output unit and of outputs of an input unit, of a weight [out, in, ...]."""
    return _fans("_calculate_fan_in_and_fan_out", tensor)


def _in_place(name, function):
    def fill(tensor, *args, **kwargs):
        return _fill(name, tensor, lambda dtype: function(tensor.shape, *args, **kwargs).detach())

    fill.__name__ = fill.__qualname__ = name
    fill.__doc__ = f"In-place version of {function.__name__}; returns the tensor."
    return fill


__all__ = ["calculate_gain", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "sparse_", "xavier_normal_",
           "xavier_uniform_"]
for _name, _function in vars(_nn.init).items():
    if not _name.startswith("_"):
        globals()[_name], globals()[_name + "_"] = _function, _in_place(_name + "_", _function)
        __all__ += [_name, _name + "_"]


# ---- PyTorch's names and arguments ----

def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Uniform initialisation in [a, b)."""
    return _fill("uniform_", tensor, lambda dtype: a + (b - a) * gyre.rand(tensor.shape, dtype), generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Normal initialisation: N(mean, std^2)."""
    _check("normal_", std >= 0, "std of 0 or more", std)
    return _fill("normal_", tensor, lambda dtype: mean + std * gyre.randn(tensor.shape, dtype), generator)


def _erfinv(y):
    """Inverse of erf in f64: Newton's method from an approximation of relative error 2e-3 (Winitzki 2008)."""
    y = y.clamp(-1 + 1e-15, 1 - 1e-15)
    log = ((1 - y) * (1 + y)).log()
    part = 2 / (math.pi * 0.147) + log / 2
    x = y.sign() * ((part.square() - log / 0.147).sqrt() - part).sqrt()
    for _ in range(3):
        x = x - (x.erf() - y) * (math.sqrt(math.pi) / 2) * x.square().exp()
    return x


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Truncated normal initialisation: N(mean, std^2) restricted to [a, b]."""
    _check("trunc_normal_", std > 0, "std above 0", std)
    _check("trunc_normal_", a < b, "a < b", f"a={a}, b={b}")
    low, high = (math.erf((bound - mean) / (std * math.sqrt(2))) for bound in (a, b))

    def values(dtype):
        y = low + (high - low) * gyre.rand(tensor.shape, "f64")
        return (mean + std * math.sqrt(2) * _erfinv(y)).clamp(a, b)

    return _fill("trunc_normal_", tensor, values, generator)


def constant_(tensor, val):
    """Fills the tensor with `val`."""
    return _fill("constant_", tensor, lambda dtype: gyre.full(tensor.shape, val, dtype=dtype))


def eye_(tensor):
    """Identity matrix; the tensor has 2 axes."""
    rows, columns = _shape_of("eye_", tensor, 2, 2)
    return _fill("eye_", tensor, lambda dtype: gyre.eye(rows, columns, dtype=dtype))


def dirac_(tensor, groups=1):
    """Kernel [out, in, ...] of a convolution that keeps its channels: 1 at the centre, in each group of output
    channels."""
    out, in_, *sizes = _shape_of("dirac_", tensor, 3, 5)
    _check("dirac_", groups > 0 and out % groups == 0, f"groups that divide {out} output channels", groups)

    def values(dtype):
        kernel = gyre.zeros(tensor.shape, dtype=dtype)
        centre = (slice(None), slice(None), *(size // 2 for size in sizes))
        kernel[centre] = gyre.eye(out // groups, in_, dtype=dtype).tile(groups, 1)
        return kernel

    return _fill("dirac_", tensor, values)


def calculate_gain(nonlinearity, param=None):
    """The factor of the standard deviation for layers followed by this nonlinearity; `param` is the negative slope
    of leaky_relu, 0.01 by default."""
    _check("calculate_gain", isinstance(nonlinearity, str), "a str", type(nonlinearity).__name__)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        number = isinstance(slope, (int, float)) and not isinstance(slope, bool)
        _check("calculate_gain", number, "a number as slope", repr(slope))
        return math.sqrt(2 / (1 + slope ** 2))
    gains = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5 / 3, "relu": math.sqrt(2), "selu": 3 / 4,
             **{f"conv{part}{n}d": 1.0 for part in ("", "_transpose") for n in (1, 2, 3)}}
    _check("calculate_gain", nonlinearity in gains, f"one of {', '.join([*gains, 'leaky_relu'])}", repr(nonlinearity))
    return gains[nonlinearity]


def _fans(name, tensor):
    """Number of inputs and outputs of a weight [out, in, ...]; the other axes are those of a kernel."""
    out, in_, *kernel = _shape_of(name, tensor, 2)
    return in_ * math.prod(kernel), out * math.prod(kernel)


def _xavier_std(name, tensor, gain):
    return gain * math.sqrt(2 / max(1, sum(_fans(name, tensor))))


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Xavier (Glorot) uniform initialisation: standard deviation gain sqrt(2 / (fan_in + fan_out)) (Glorot and
    Bengio 2010)."""
    bound = math.sqrt(3) * _xavier_std("xavier_uniform_", tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Xavier (Glorot) normal initialisation: standard deviation gain sqrt(2 / (fan_in + fan_out)) (Glorot and
    Bengio 2010)."""
    return normal_(tensor, 0.0, _xavier_std("xavier_normal_", tensor, gain), generator)


def _kaiming_std(name, tensor, a, mode, nonlinearity):
    _check(name, mode in ("fan_in", "fan_out"), "mode fan_in or fan_out", reprlib.repr(mode))
    fan = _fans(name, tensor)[mode == "fan_out"]
    return calculate_gain(nonlinearity, a) / math.sqrt(max(1, fan))


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Kaiming (He) uniform initialisation: standard deviation gain / sqrt(fan), with the gain of the nonlinearity;
    `a` is the slope of leaky_relu, `mode` fan_in or fan_out (He et al. 2015)."""
    bound = math.sqrt(3) * _kaiming_std("kaiming_uniform_", tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Kaiming (He) normal initialisation: standard deviation gain / sqrt(fan), with the gain of the nonlinearity;
    `a` is the slope of leaky_relu, `mode` fan_in or fan_out (He et al. 2015)."""
    return normal_(tensor, 0.0, _kaiming_std("kaiming_normal_", tensor, a, mode, nonlinearity), generator)


def orthogonal_(tensor, gain=1.0, generator=None):
    """Orthogonal initialisation: gain times a matrix [out, in ...] with orthonormal rows, or columns if there are
    fewer columns (Saxe et al. 2014)."""
    return _fill("orthogonal_", tensor, lambda dtype: _nn.init.orthogonal(tensor.shape, gain).detach(), generator)


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Sparse initialisation: N(0, std^2), with the fraction `sparsity` of each column set to 0 (Martens 2010)."""
    rows, columns = _shape_of("sparse_", tensor, 2, 2)
    zeros = math.ceil(sparsity * rows)

    def values(dtype):
        ranks = gyre.rand((rows, columns), "f64").argsort(axis=0).argsort(axis=0)
        return gyre.where(ranks < zeros, 0.0, std * gyre.randn((rows, columns), dtype))

    return _fill("sparse_", tensor, values, generator)
