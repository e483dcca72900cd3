"""Normalisation and dropout by PyTorch's names."""

import sys

import gyre


def _last_axes(x, normalized_shape, name):
    """x with its last axes, of that shape, as one; and the shape of the result."""
    shape = tuple(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,)
    if not shape or x.shape[-len(shape):] != shape:
        raise ValueError(f"{name}: expected last axes {list(shape)}, got {list(x.shape)}")
    return x if len(shape) == 1 else x.reshape(*x.shape[:-len(shape)], -1)


def _as_row(t):
    return t if t is None or t.ndim == 1 else t.reshape(-1)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """(x - mean) / sqrt(variance + eps) over the last axes, of shape normalized_shape, times weight, plus bias."""
    x = _last_axes(input, normalized_shape, "layer_norm")
    return gyre.layer_norm(x, _as_row(weight), _as_row(bias), eps=eps).reshape(input.shape)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """x / sqrt(mean square + eps) over the last axes, times weight; eps: by default the epsilon of the dtype."""
    x = _last_axes(input, normalized_shape, "rms_norm")
    eps = epsilon(x.dtype) if eps is None else eps
    return gyre.rms_norm(x, _as_row(weight), eps=eps).reshape(input.shape)


def epsilon(dtype):
    """The distance from 1 to the next number of a floating-point dtype."""
    return {"f64": sys.float_info.epsilon, "f32": 2.0 ** -23, "f16": 2.0 ** -10, "bf16": 2.0 ** -7}[dtype.name]


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Normalises each group of channels (axis 1) of a sample."""
    return gyre.group_norm(input, weight, bias, groups=num_groups, eps=eps)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Normalises each channel (axis 1) with the statistics of the batch in training, which also updates the running
    ones in place, and with the running ones otherwise."""
    if input.ndim < 2:
        raise ValueError(f"batch_norm: expected input [batch, channels, ...], got {list(input.shape)}")
    if not training:
        if running_mean is None or running_var is None:
            raise ValueError("batch_norm: expected running_mean and running_var outside training, got None")
        return gyre.batch_norm(input, weight, bias, running_mean, running_var, eps=eps)[0]
    count = input.numel() // max(input.shape[1], 1)
    if count == 1:
        raise ValueError(f"batch_norm: expected several values for each channel in training, got {list(input.shape)}")
    result, mean, variance = gyre.batch_norm(input, weight, bias, eps=eps)
    _follow(running_mean, mean, momentum)
    _follow(running_var, variance * (count / max(count - 1, 1)), momentum)
    return result


def _follow(running, value, momentum):
    if running is not None:
        with gyre.no_grad():
            running.copy_(running + (value.detach().to(dtype=running.dtype) - running) * momentum)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
                  momentum=0.1, eps=1e-5):
    """Normalises each channel of each sample."""
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    batch, channels = input.shape[:2]
    if input.numel() == batch * channels and batch * channels:
        raise ValueError(f"instance_norm: expected several values for each channel, got {list(input.shape)}")
    if running_mean is not None:
        rows = input.detach().reshape(batch, channels, -1)
        _follow(running_mean, rows.mean(axes=(0, 2)), momentum)
        _follow(running_var, gyre.var(rows, axes=(2,), correction=1.0).mean(axes=(0,)), momentum)
    return gyre.group_norm(input, weight, bias, groups=channels, eps=eps)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """x / (k + alpha mean of the squares of `size` neighbouring channels)^beta (Krizhevsky et al. 2012)."""
    if input.ndim < 3:
        raise ValueError(f"local_response_norm: expected 3 or more axes, got {list(input.shape)}")
    before = [0] * input.ndim
    after = list(before)
    before[1], after[1] = size // 2, (size - 1) // 2
    mean = gyre.unfold(gyre.pad(gyre.square(input), before, after), axis=1, size=size).mean(axes=(-1,))
    return input / gyre.pow(mean * alpha + k, beta)


# ---- dropout ----

def _checked(p, name):
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"{name}: expected a probability p from 0 to 1, got {p}")


def dropout(input, p=0.5, training=True, inplace=False):
    """In training, zeroes elements with probability p and divides the others by 1 - p."""
    _checked(p, "dropout")
    return gyre.dropout(input, p) if training and p else input


def _channels_kept(input, p, axes):
    """Dropout of ones, one for each channel; without a batch axis the channels are axis 0."""
    lead = 2 if input.ndim >= axes + 2 else 1
    return gyre.dropout(gyre.ones((*input.shape[:lead], *[1] * (input.ndim - lead)), dtype=input.dtype), p)


def _feature_dropout(name, axes, input, p, training):
    _checked(p, name)
    return input * _channels_kept(input, p, axes) if training and p else input


def dropout1d(input, p=0.5, training=True, inplace=False):
    """In training, zeroes whole channels of [batch, channels, length] with probability p."""
    return _feature_dropout("dropout1d", 1, input, p, training)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """In training, zeroes whole channels of [batch, channels, height, width] with probability p."""
    return _feature_dropout("dropout2d", min(input.ndim - 2, 2), input, p, training)


def dropout3d(input, p=0.5, training=True, inplace=False):
    """In training, zeroes whole channels of [batch, channels, depth, height, width] with probability p."""
    return _feature_dropout("dropout3d", 3, input, p, training)


_DROPPED = -1.7580993408473766  # the limit of SELU for x to -infinity


def _alpha_dropped(input, p, kept):
    if p == 1:
        return input * 0.0
    scale = ((1 - p) * (1 + p * _DROPPED ** 2)) ** -0.5
    return (gyre.where(kept > 0, input, _DROPPED)) * scale - scale * p * _DROPPED


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Dropout that keeps mean and variance of the activations of SELU (Klambauer et al. 2017)."""
    _checked(p, "alpha_dropout")
    return _alpha_dropped(input, p, gyre.dropout(gyre.ones_like(input), p)) if training and p else input


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    """alpha_dropout of whole channels."""
    _checked(p, "feature_alpha_dropout")
    return _alpha_dropped(input, p, _channels_kept(input, p, input.ndim - 2)) if training and p else input
