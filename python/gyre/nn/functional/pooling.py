"""Pooling by PyTorch's names; the batch axis is optional."""

import math

import gyre
from gyre.nn.functional.convolution import batched, per_axis


def _count(size, kernel, stride, padding, dilation, ceil_mode):
    """Windows along an axis: with ceil_mode the last may extend past the end if it starts inside."""
    room = size + 2 * padding - dilation * (kernel - 1) - 1
    if not ceil_mode:
        return room // stride + 1
    count = -(-room // stride) + 1
    return count - 1 if (count - 1) * stride >= size + padding else count


def _windows(x, kernel, stride, padding, dilation, ceil_mode, fill):
    """[batch, channels, windows..., kernel...] of x, padded with `fill`."""
    axes = len(kernel)
    counts = [_count(*a, ceil_mode) for a in zip(x.shape[2:], kernel, stride, padding, dilation)]
    if min(counts) < 1:
        raise ValueError(f"pooling: expected windows {list(kernel)} within the padded input, got {list(x.shape)}")
    spans = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    after = [max((c - 1) * s + span - size - p, 0)
             for c, s, span, size, p in zip(counts, stride, spans, x.shape[2:], padding)]
    if any(padding) or any(after):
        x = gyre.pad(x, [0, 0, *padding], [0, 0, *after], value=fill)
    for axis, (count, step, span, spacing) in enumerate(zip(counts, stride, spans, dilation)):
        x = gyre.unfold(x, axis=2 + axis, size=span, step=step)
        x = gyre.slice(gyre.slice(x, axis=2 + axis, stop=count), axis=x.ndim - 1, step=spacing)
    return _flat(x, axes)


def _flat(x, axes):
    """x with its last axes as one."""
    return x.reshape(*x.shape[:x.ndim - axes], math.prod(x.shape[x.ndim - axes:]))


def _flat_positions(shape):
    """The flat index of each position of the spatial axes, as [1, 1, ...]."""
    return gyre.arange(math.prod(shape)).reshape(1, 1, *shape)


def _with_indices(x, axes, windows_of):
    """Maxima of windows and their flat indices; `windows_of(x, fill)` gives the windows along the last axis."""
    shape = x.shape[2:]
    inside = windows_of(_flat_positions(shape), -1)
    values = gyre.where(inside < 0, -math.inf, windows_of(x.detach(), 0.0))
    best = gyre.argmax(values, axes=(-1,), keepdim=True)
    index = gyre.gather(gyre.expand(inside, (*x.shape[:2], *inside.shape[2:])), best, axis=-1).squeeze(axes=(-1,))
    return gyre.gather(_flat(x, axes), _flat(index, axes), axis=-1).reshape(index.shape), index


# The ops for inputs with a batch axis, by number of axes.
_MAX, _AVG = {1: gyre.max_pool1d, 2: gyre.max_pool2d}, {1: gyre.avg_pool1d, 2: gyre.avg_pool2d}


def _max_pool(axes, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices):
    if input.ndim == axes + 2 and axes < 3 and not return_indices:
        return _MAX[axes](input, kernel_size, stride=() if stride is None else stride, padding=padding,
                          dilation=dilation, ceil_mode=ceil_mode)
    kernel, padding, dilation = (per_axis(v, axes) for v in (kernel_size, padding, dilation))
    stride = kernel if stride is None or stride == () or stride == [] else per_axis(stride, axes)
    if any(2 * p > k for p, k in zip(padding, kernel)):
        raise ValueError(f"max_pool{axes}d: expected padding of at most half the kernel {kernel}, got {padding}")

    options = dict(stride=stride, padding=padding, dilation=dilation, ceil_mode=ceil_mode)

    def run(x):
        if return_indices:
            return _with_indices(x, axes, lambda t, fill: _windows(t, kernel, *options.values(), fill))
        if axes < 3:
            return _MAX[axes](x, kernel, **options)
        return _by_depth(x, lambda d: gyre.max_pool1d(d, kernel[:1], **_part(options, 0, 1)),
                         lambda i: gyre.max_pool2d(i, kernel[1:], **_part(options, 1, 3)))

    return batched(f"max_pool{axes}d", run, input, axes)


def _part(options, start, stop):
    return {name: v[start:stop] if isinstance(v, tuple) else v for name, v in options.items()}


def _by_depth(x, over_depth, over_images):
    """A separable pooling of volumes: over height and width, then over depth."""
    batch, channels, depth = x.shape[:3]
    x = over_images(x.reshape(batch, channels * depth, *x.shape[3:]))
    height, width = x.shape[2:]
    x = x.reshape(batch, channels, depth, height * width)
    rows = gyre.transpose(x, 2, 3)
    rows = over_depth(rows.reshape(batch, channels * height * width, depth))
    rows = rows.reshape(batch, channels, height * width, rows.shape[2])
    return gyre.transpose(rows, 2, 3).reshape(batch, channels, rows.shape[3], height, width)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """1-D max pooling, and with return_indices the flat index of each maximum."""
    return _max_pool(1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """2-D max pooling, and with return_indices the flat index of each maximum."""
    return _max_pool(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """3-D max pooling, and with return_indices the flat index of each maximum."""
    return _max_pool(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def _sums(x, kernel, stride, padding, ceil_mode):
    """Sums of windows along the last axes of x, one axis after another."""
    for axis, (k, s, p) in enumerate(zip(kernel, stride, padding)):
        rows = gyre.transpose(x, 2 + axis, -1)
        flat = rows.reshape(1, math.prod(rows.shape[:-1]), rows.shape[-1])
        sums = _windows(flat, (k,), (s,), (p,), (1,), ceil_mode, 0.0).sum(axes=(-1,))
        x = gyre.transpose(sums.reshape(*rows.shape[:-1], sums.shape[-1]), 2 + axis, -1)
    return x


def _divisors(shape, kernel, stride, padding, ceil_mode, count_include_pad, dtype):
    """The number of elements of each window."""
    grid = 1.0
    for axis, (size, k, s, p) in enumerate(zip(shape, kernel, stride, padding)):
        starts = gyre.arange(_count(size, k, s, p, 1, ceil_mode)) * s - p
        ends = gyre.minimum(starts + k, size + (p if count_include_pad else 0))
        counts = (ends - (starts if count_include_pad else gyre.maximum(starts, 0))).to(dtype=dtype)
        grid = grid * counts.reshape([-1 if a == axis else 1 for a in range(len(shape))])
    return grid


def _avg_pool(axes, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override=None):
    if input.ndim == axes + 2 and axes < 3 and divisor_override is None:
        return _AVG[axes](input, kernel_size, stride=() if stride is None else stride, padding=padding,
                          ceil_mode=ceil_mode, count_include_pad=count_include_pad)
    kernel, padding = per_axis(kernel_size, axes), per_axis(padding, axes)
    stride = kernel if stride is None or stride == () or stride == [] else per_axis(stride, axes)
    if any(2 * p > k for p, k in zip(padding, kernel)):
        raise ValueError(f"avg_pool{axes}d: expected padding of at most half the kernel {kernel}, got {padding}")
    if divisor_override == 0:
        raise ValueError(f"avg_pool{axes}d: expected a divisor_override other than 0")

    def run(x):
        if axes < 3 and divisor_override is None:
            return _AVG[axes](x, kernel, stride=stride, padding=padding, ceil_mode=ceil_mode,
                              count_include_pad=count_include_pad)
        sums = _sums(x, kernel, stride, padding, ceil_mode)
        return sums / (divisor_override or
                       _divisors(x.shape[2:], kernel, stride, padding, ceil_mode, count_include_pad, x.dtype))

    return batched(f"avg_pool{axes}d", run, input, axes)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """1-D average pooling."""
    return _avg_pool(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    """2-D average pooling."""
    return _avg_pool(2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    """3-D average pooling."""
    return _avg_pool(3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def _lp_pool(axes, input, norm_type, kernel_size, stride, ceil_mode):
    p, kernel = float(norm_type), per_axis(kernel_size, axes)
    stride = kernel if stride is None else per_axis(stride, axes)

    def run(x):
        sums = _sums(gyre.pow(x, p), kernel, stride, (0,) * axes, ceil_mode)
        whole = _divisors(x.shape[2:], kernel, stride, (0,) * axes, ceil_mode, True, x.dtype)
        sums = sums * math.prod(kernel) / whole if ceil_mode else sums  # windows past the end count as whole ones
        return gyre.pow(gyre.sign(sums) * gyre.relu(gyre.abs(sums)), 1.0 / p)

    return batched(f"lp_pool{axes}d", run, input, axes)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """1-D power-average pooling: (sum x^p)^(1/p)."""
    return _lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """2-D power-average pooling: (sum x^p)^(1/p)."""
    return _lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """3-D power-average pooling: (sum x^p)^(1/p)."""
    return _lp_pool(3, input, norm_type, kernel_size, stride, ceil_mode)


def _adaptive_size(size, shape, axes):
    """Output sizes; None keeps the size of the input."""
    return tuple(own if wanted is None else wanted for wanted, own in zip(per_axis(size, axes), shape[2:]))


def _adaptive_avg_pool(axes, input, output_size):
    def run(x):
        size = _adaptive_size(output_size, x.shape, axes)
        if axes < 3:
            return getattr(gyre, f"adaptive_avg_pool{axes}d")(x, size=size)
        return _by_depth(x, lambda d: gyre.adaptive_avg_pool1d(d, size[:1]),
                         lambda i: gyre.adaptive_avg_pool2d(i, size[1:]))

    return batched(f"adaptive_avg_pool{axes}d", run, input, axes)


def adaptive_avg_pool1d(input, output_size):
    """1-D average pooling to an output size."""
    return _adaptive_avg_pool(1, input, output_size)


def adaptive_avg_pool2d(input, output_size):
    """2-D average pooling to an output size; None keeps the size of an axis."""
    return _adaptive_avg_pool(2, input, output_size)


def adaptive_avg_pool3d(input, output_size):
    """3-D average pooling to an output size; None keeps the size of an axis."""
    return _adaptive_avg_pool(3, input, output_size)


def _gathered_windows(x, starts, lengths, fill):
    """Windows of the given starts and lengths (tensors, one pair for each axis), padded at the end with `fill`."""
    inside = None
    for axis, (start, length) in enumerate(zip(starts, lengths)):
        longest = int(length.max().item())
        offset = gyre.arange(longest).reshape(1, -1)
        index = gyre.minimum(start.reshape(-1, 1) + offset, x.shape[2 + axis] - 1)
        x = gyre.index_select(x, index.reshape(-1), axis=2 + axis)
        x = x.reshape(*x.shape[:2 + axis], len(start), longest, *x.shape[3 + axis:])
        x = gyre.permute(x, [a for a in range(x.ndim) if a != 3 + axis] + [3 + axis])
        mask = offset < length.reshape(-1, 1)
        axes = len(starts)
        mask = mask.reshape([len(start) if a == axis else longest if a == axes + axis else 1 for a in range(2 * axes)])
        inside = mask if inside is None else inside.logical_and(mask)
    return _flat(gyre.where(inside.unsqueeze(0).unsqueeze(0), x, fill), len(starts))


def _adaptive_max_pool(axes, input, output_size, return_indices):
    def run(x):
        size = _adaptive_size(output_size, x.shape, axes)
        if axes < 3 and not return_indices:
            return getattr(gyre, f"adaptive_max_pool{axes}d")(x, size=size)
        starts = [gyre.arange(o) * n // o for o, n in zip(size, x.shape[2:])]
        ends = [((gyre.arange(o) + 1) * n + o - 1) // o for o, n in zip(size, x.shape[2:])]
        lengths = [end - start for start, end in zip(starts, ends)]
        values, index = _with_indices(x, axes, lambda t, fill: _gathered_windows(t, starts, lengths, fill))
        return (values, index) if return_indices else values

    return batched(f"adaptive_max_pool{axes}d", run, input, axes)


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """1-D max pooling to an output size."""
    return _adaptive_max_pool(1, input, output_size, return_indices)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """2-D max pooling to an output size; None keeps the size of an axis."""
    return _adaptive_max_pool(2, input, output_size, return_indices)


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """3-D max pooling to an output size; None keeps the size of an axis."""
    return _adaptive_max_pool(3, input, output_size, return_indices)


def _fractional_max_pool(axes, input, kernel_size, output_size, output_ratio, return_indices, samples):
    """Windows at pseudorandom, overlapping positions (Graham 2014)."""
    name, kernel = f"fractional_max_pool{axes}d", per_axis(kernel_size, axes)
    if (output_size is None) == (output_ratio is None):
        raise ValueError(f"{name}: expected either output_size or output_ratio")

    def run(x):
        size = per_axis(output_size, axes) if output_ratio is None else tuple(
            int(n * r) for n, r in zip(x.shape[2:], per_axis(output_ratio, axes)))
        drawn = samples if samples is not None else gyre.rand((*x.shape[:2], axes), dtype=x.dtype.name)
        drawn = (drawn if drawn.ndim == 3 else drawn.unsqueeze(0))[:x.shape[0]]
        index = _flat_positions(x.shape[2:]).expand(shape=(*x.shape[:2], *x.shape[2:]))
        rows, positions = _flat(x, axes), 0
        for axis, (n, o, k) in enumerate(zip(x.shape[2:], size, kernel)):
            sample = drawn[:, :, axis if axes == 3 else 1 - axis]  # PyTorch's order: images start with the last axis
            start = _fractional_starts(sample, n, o, k)
            place = start.unsqueeze(-1) + gyre.arange(k)
            stride = math.prod(x.shape[3 + axis:])
            form = [1] * (2 * axes)
            form[axis], form[axes + axis] = o, k
            positions = positions + place.reshape(*place.shape[:2], *form) * stride
        windows = positions.reshape(*positions.shape[:2], *size, math.prod(kernel))
        windows = windows.expand(shape=(*x.shape[:2], *windows.shape[2:]))
        values = gyre.gather(rows, _flat(windows, axes + 1), axis=-1).reshape(windows.shape)
        best = gyre.argmax(values, axes=(-1,), keepdim=True)
        flat = gyre.gather(windows, best, axis=-1).squeeze(axes=(-1,))
        result = gyre.gather(values, best, axis=-1).squeeze(axes=(-1,))
        return (result, flat) if return_indices else result

    return batched(name, run, input, axes)


def _fractional_starts(sample, size, count, kernel):
    """Starts of the windows for each batch and channel: [batch, channels, count]."""
    if count == 1:
        return gyre.full((*sample.shape, 1), size - kernel, dtype="i64")
    alpha = (size - kernel) / (count - 1)
    steps = gyre.trunc((gyre.arange(count - 1).to(dtype=sample.dtype) + sample.unsqueeze(-1)) * alpha)
    steps = steps - gyre.trunc(sample * alpha).unsqueeze(-1)
    last = gyre.full((*sample.shape, 1), size - kernel, dtype="i64")
    return gyre.cat([steps.to(dtype="i64"), last], axis=-1)


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """2-D fractional max pooling."""
    return _fractional_max_pool(2, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                          _random_samples=None):
    """3-D fractional max pooling."""
    return _fractional_max_pool(3, input, kernel_size, output_size, output_ratio, return_indices, _random_samples)


def _max_unpool(axes, input, indices, kernel_size, stride, padding, output_size):
    kernel, padding = per_axis(kernel_size, axes), per_axis(padding, axes)
    stride = kernel if stride is None else per_axis(stride, axes)
    usual = [(n - 1) * s - 2 * p + k for n, s, p, k in zip(input.shape[-axes:], stride, padding, kernel)]
    size = usual if output_size is None else list(output_size)[-axes:]
    if any(abs(wanted - own) >= s for wanted, own, s in zip(size, usual, stride)):
        raise ValueError(f"max_unpool{axes}d: expected an output_size near {usual}, got {size}")
    lead = input.shape[:-axes]
    blank = gyre.zeros((*lead, math.prod(size)), dtype=input.dtype)
    return gyre.scatter(blank, _flat(indices, axes), _flat(input, axes), axis=-1).reshape(*lead, *size)


def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Partial inverse of max_pool1d: zeros with the maxima at their indices."""
    return _max_unpool(1, input, indices, kernel_size, stride, padding, output_size)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Partial inverse of max_pool2d: zeros with the maxima at their indices."""
    return _max_unpool(2, input, indices, kernel_size, stride, padding, output_size)


def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Partial inverse of max_pool3d: zeros with the maxima at their indices."""
    return _max_unpool(3, input, indices, kernel_size, stride, padding, output_size)
