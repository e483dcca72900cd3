"""Activation functions, softmax and gated units by PyTorch's names. `inplace` is accepted; the input never changes."""

import math
import reprlib

import gyre

_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805  # Klambauer et al. 2017


def relu(input, inplace=False):
    """max(x, 0)."""
    return gyre.relu(input)


def relu6(input, inplace=False):
    """min(max(x, 0), 6)."""
    return hardtanh(input, 0.0, 6.0)


def sigmoid(input):
    """1 / (1 + e^-x)."""
    return gyre.sigmoid(input)


def tanh(input):
    """Hyperbolic tangent."""
    return gyre.tanh(input)


def silu(input, inplace=False):
    """x sigmoid(x)."""
    return gyre.silu(input)


def elu(input, alpha=1.0, inplace=False):
    """x where x > 0, otherwise alpha (e^x - 1)."""
    return gyre.elu(input, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """x where x > 0, otherwise negative_slope x."""
    return gyre.leaky_relu(input, negative_slope)


def gelu(input, approximate="none"):
    """x Phi(x), Phi: the standard normal CDF, or its tanh approximation."""
    if approximate not in ("none", "tanh"):
        raise ValueError(f"gelu: expected approximate none or tanh, got {reprlib.repr(approximate)}")
    return gyre.gelu_tanh(input) if approximate == "tanh" else gyre.gelu(input)


def softplus(input, beta=1.0, threshold=20.0):
    """log(1 + e^(beta x)) / beta, and x where beta x > threshold."""
    scaled = input * beta
    return gyre.where(scaled > threshold, input, gyre.softplus(scaled) / beta)


def celu(input, alpha=1.0, inplace=False):
    """x where x > 0, otherwise alpha (e^(x / alpha) - 1)."""
    return gyre.elu(input / alpha, 1.0) * alpha


def selu(input, inplace=False):
    """ELU scaled such that activations keep mean 0 and variance 1 (Klambauer et al. 2017)."""
    return gyre.elu(input, _SELU_ALPHA) * _SELU_SCALE


def glu(input, dim=-1):
    """a sigmoid(b), a and b: the halves of x along dim."""
    if input.shape[dim] % 2:
        raise ValueError(f"glu: expected an even size of axis {dim}, got {input.shape[dim]}")
    first, second = gyre.chunk(input, 2, axis=dim)
    return first * gyre.sigmoid(second)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """x limited to [min_val, max_val]; the gradient is 0 at the limits."""
    if min_val > max_val:
        raise ValueError(f"hardtanh: expected min_val <= max_val, got {min_val} and {max_val}")
    low = gyre.where(input > min_val, input, min_val)
    return gyre.where(low < max_val, low, max_val)


def hardsigmoid(input, inplace=False):
    """min(max(x + 3, 0), 6) / 6."""
    return relu6(input + 3) / 6


def hardswish(input, inplace=False):
    """x hardsigmoid(x)."""
    return input * hardsigmoid(input)


def hardshrink(input, lambd=0.5):
    """x where |x| > lambd, otherwise 0."""
    return gyre.where((input > lambd).logical_or(input < -lambd), input, 0.0)


def softshrink(input, lambd=0.5):
    """x moved by lambd towards 0, and 0 between -lambd and lambd."""
    if lambd < 0:
        raise ValueError(f"softshrink: expected lambd of 0 or more, got {lambd}")
    return gyre.relu(input - lambd) - gyre.relu(-input - lambd)


def tanhshrink(input):
    """x - tanh(x)."""
    return input - gyre.tanh(input)


def softsign(input):
    """x / (1 + |x|)."""
    return input / (gyre.abs(input) + 1)


def logsigmoid(input):
    """log(sigmoid(x))."""
    return -gyre.softplus(-input)


def mish(input, inplace=False):
    """x tanh(softplus(x))."""
    return input * gyre.tanh(gyre.softplus(input))


def threshold(input, threshold, value, inplace=False):
    """x where x > threshold, otherwise value."""
    return gyre.where(input > threshold, input, float(value))


def prelu(input, weight):
    """x where x > 0, otherwise weight x; one weight, or one for each channel (axis 1)."""
    channels = input.shape[1] if input.ndim > 1 else 1
    if weight.numel() not in (1, channels):
        raise ValueError(f"prelu: expected 1 weight or one for each of {channels} channels, got {weight.numel()}")
    slope = weight.reshape([1, -1] + [1] * (input.ndim - 2)) if input.ndim > 1 else weight.reshape(())
    return gyre.where(input > 0, input, input * slope)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """Leaky ReLU whose slope is drawn from [lower, upper] for each element in training, and their mean otherwise."""
    if not training:
        return gyre.leaky_relu(input, (lower + upper) / 2)
    slope = gyre.rand(input.shape, dtype=input.dtype.name) * (upper - lower) + lower
    return gyre.where(input >= 0, input, input * slope)


def _axis_or_usual(dim, rank):
    """PyTorch's axis of softmax without dim: 0 for 0, 1 and 3 axes, otherwise 1."""
    return dim if dim is not None else (0 if rank in (0, 1, 3) else 1)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """e^x / sum e^x along dim; `dtype`: cast the input first."""
    x = input if dtype is None else input.to(dtype=dtype)
    return gyre.softmax(x, axis=_axis_or_usual(dim, x.ndim))


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """x - log sum e^x along dim; `dtype`: cast the input first."""
    x = input if dtype is None else input.to(dtype=dtype)
    return gyre.log_softmax(x, axis=_axis_or_usual(dim, x.ndim))


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax(-x)."""
    return softmax(-input, dim, dtype=dtype)


def gumbel_softmax(logits, tau=1.0, hard=False, eps=1e-10, dim=-1):
    """Samples from the Gumbel-softmax distribution (Jang et al. 2017); `hard`: one-hot, with the gradient of the
    soft sample. `eps` has no effect."""
    uniform = gyre.rand(logits.shape, dtype=logits.dtype.name)
    smallest = math.ldexp(1.0, -24)  # keeps both logarithms finite
    noise = -gyre.log(-gyre.log(gyre.clamp(uniform, smallest, 1 - smallest)))
    soft = gyre.softmax((logits + noise) / tau, axis=dim)
    if not hard:
        return soft
    index = gyre.argmax(soft, axes=(dim,), keepdim=True)
    one_hot = gyre.scatter(gyre.zeros_like(soft), index, gyre.ones(index.shape, dtype=soft.dtype), axis=dim)
    return one_hot - soft.detach() + soft


def _in_place(function):
    def write(input, *args, **kwargs):
        return input.copy_(function(input, *args, **kwargs))

    write.__name__ = write.__qualname__ = function.__name__ + "_"
    write.__doc__ = f"{function.__name__}() in place."
    return write


for _function in (relu, elu, celu, selu, leaky_relu, hardtanh, rrelu, threshold):
    globals()[_function.__name__ + "_"] = _in_place(_function)
