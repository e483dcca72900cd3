"""Convolutions, linear maps and sliding windows by PyTorch's names."""

import reprlib

import gyre


def per_axis(value, axes):
    """One number for all axes, or one for each."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    return values * axes if len(values) == 1 else values


def batched(name, function, input, axes):
    """function(input) of [batch, channels, ...] for an input that may have no batch axis."""
    if input.ndim == axes + 2:
        return function(input)
    if input.ndim != axes + 1:
        raise ValueError(f"{name}: expected {axes + 1} axes, or {axes + 2} with a batch axis, got {list(input.shape)}")
    result = function(input.unsqueeze(0))
    return tuple(r[0] for r in result) if isinstance(result, tuple) else result[0]


def linear(input, weight, bias=None):
    """x W^T + bias."""
    if weight.ndim == 1:
        result = gyre.matmul(input, weight)
        return result if bias is None else result + bias
    return gyre.linear(input, weight, bias)


def bilinear(input1, input2, weight, bias=None):
    """x1^T W_k x2 + bias_k for each output k."""
    result = gyre.einsum(input1, weight, input2, spec="...i,kij,...j->...k")
    return result if bias is None else result + bias


def same_padding(kernel, dilation):
    """(before, after) widths of padding="same" for each axis: the extra element comes after."""
    total = [d * (k - 1) for k, d in zip(kernel, dilation)]
    return [t // 2 for t in total], [t - t // 2 for t in total]


def _padded(x, padding, kernel, stride, dilation, axes, name):
    """The input and the numbers of padding, for padding by name."""
    if not isinstance(padding, str):
        return x, per_axis(padding, axes)
    if padding == "valid":
        return x, (0,) * axes
    if padding != "same":
        raise ValueError(f"{name}: expected padding of numbers, same or valid, got {reprlib.repr(padding)}")
    if any(s != 1 for s in stride):
        raise ValueError(f'{name}: expected stride 1 with padding="same", got {stride}')
    before, after = same_padding(kernel, dilation)
    if before == after:
        return x, tuple(before)
    return gyre.pad(x, [0, 0, *before], [0, 0, *after]), (0,) * axes


def _conv(axes, input, weight, bias, stride, padding, dilation, groups):
    name = f"conv{axes}d"
    if input.ndim == axes + 2 and axes < 3 and not isinstance(padding, str):
        return getattr(gyre, name)(input, weight, bias, stride=stride, padding=padding, dilation=dilation, groups=groups)
    stride, dilation = per_axis(stride, axes), per_axis(dilation, axes)

    def run(x):
        x, widths = _padded(x, padding, weight.shape[2:], stride, dilation, axes, name)
        if axes == 3:
            return _conv3d(x, weight, bias, stride, widths, dilation, groups)
        return getattr(gyre, name)(x, weight, bias, stride=stride, padding=widths, dilation=dilation, groups=groups)

    return batched(name, run, input, axes)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """1-D convolution of [batch, in, length]; the batch axis is optional."""
    return _conv(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """2-D convolution of [batch, in, height, width]; the batch axis is optional."""
    return _conv(2, input, weight, bias, stride, padding, dilation, groups)


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """3-D convolution of [batch, in, depth, height, width]; the batch axis is optional."""
    return _conv(3, input, weight, bias, stride, padding, dilation, groups)


def _as_images(x):
    """[batch, channels, depth, ...] as [batch depth, channels, ...]."""
    return gyre.permute(x, (0, 2, 1, 3, 4)).reshape(x.shape[0] * x.shape[2], x.shape[1], *x.shape[3:])


def _as_volumes(x, batch):
    return gyre.permute(x.reshape(batch, -1, *x.shape[1:]), (0, 2, 1, 3, 4))


def _conv3d(x, weight, bias, stride, padding, dilation, groups):
    """A sum of 2-D convolutions, one for each slice of the kernel."""
    x = gyre.pad(x, (0, 0, padding[0], 0, 0), (0, 0, padding[0], 0, 0)) if padding[0] else x
    depth = (x.shape[2] - dilation[0] * (weight.shape[2] - 1) - 1) // stride[0] + 1
    if depth < 1:
        raise ValueError(f"conv3d: expected a kernel within the padded input, got depth {x.shape[2]}")
    total = None
    for k in range(weight.shape[2]):
        start = k * dilation[0]
        images = _as_images(x[:, :, start:start + (depth - 1) * stride[0] + 1:stride[0]])
        part = gyre.conv2d(images, weight[:, :, k], bias if total is None else None, stride=stride[1:],
                           padding=padding[1:], dilation=dilation[1:], groups=groups)
        total = part if total is None else total + part
    return _as_volumes(total, x.shape[0])


def _conv_transpose(axes, input, weight, bias, stride, padding, output_padding, groups, dilation):
    name = f"conv_transpose{axes}d"
    stride, dilation, padding, more = (per_axis(v, axes) for v in (stride, dilation, padding, output_padding))
    if any(m >= max(s, d) for m, s, d in zip(more, stride, dilation)):
        raise ValueError(f"{name}: expected output_padding below stride or dilation, got {more}")

    def run(x):
        if axes < 3 and all(m < s for m, s in zip(more, stride)):
            return getattr(gyre, name)(x, weight, bias, stride=stride, padding=padding, output_padding=more,
                                       dilation=dilation, groups=groups)
        whole = _whole_conv_transpose(axes, x, weight, stride, groups, dilation)
        cropped = crop(whole, [0, 0, *(-p for p in padding)], [0, 0, *(m - p for m, p in zip(more, padding))])
        return cropped if bias is None else cropped + bias.reshape(-1, *[1] * axes)

    return batched(name, run, input, axes)


def _whole_conv_transpose(axes, x, weight, stride, groups, dilation):
    """Transposed convolution without padding and bias."""
    options = dict(stride=stride[axes - 2:] if axes == 3 else stride, groups=groups,
                   dilation=dilation[1:] if axes == 3 else dilation)
    if axes < 3:
        return getattr(gyre, f"conv_transpose{axes}d")(x, weight, **options)
    options["stride"], images = stride[1:], _as_images(x)
    size = (x.shape[2] - 1) * stride[0] + dilation[0] * (weight.shape[2] - 1) + 1
    parts = (_as_volumes(gyre.conv_transpose2d(images, weight[:, :, k], **options), x.shape[0])
             for k in range(weight.shape[2]))
    return sum(gyre.slice_embed(part, axis=2, start=k * dilation[0], step=stride[0], size=size)
               for k, part in enumerate(parts))


def crop(x, before, after, mode="constant", value=0.0):
    """Pads both ends of axes by positive widths and crops them by negative ones."""
    wider = [[max(width, 0) for width in widths] for widths in (before, after)]

    def pad(x):
        return gyre.pad(x, *wider, mode=mode, value=value) if any(map(any, wider)) else x

    # mode replicate repeats elements that are cropped, as in PyTorch; the others repeat what is left
    return _cropped(pad(x), before, after) if mode == "replicate" else pad(_cropped(x, before, after))


def _cropped(x, before, after):
    for axis, (b, a) in enumerate(zip(before, after)):
        if b < 0 or a < 0:
            stop = x.shape[axis] + min(a, 0)
            if stop < max(-b, 0):
                raise ValueError(f"pad: widths {b} and {a} crop more than the elements of axis {axis}")
            x = gyre.slice(x, axis=axis, start=max(-b, 0), stop=stop)
    return x


def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed 1-D convolution; the batch axis is optional."""
    return _conv_transpose(1, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed 2-D convolution; the batch axis is optional."""
    return _conv_transpose(2, input, weight, bias, stride, padding, output_padding, groups, dilation)


def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed 3-D convolution; the batch axis is optional."""
    return _conv_transpose(3, input, weight, bias, stride, padding, output_padding, groups, dilation)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Sliding windows of images [batch, channels, height, width] as columns."""
    def run(x):
        return gyre.im2col(x, kernel=per_axis(kernel_size, 2), stride=per_axis(stride, 2), padding=per_axis(padding, 2),
                           dilation=per_axis(dilation, 2))

    return batched("unfold", run, input, 2)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Sum of columns into images; the transpose of unfold."""
    def run(x):
        return gyre.col2im(x, size=per_axis(output_size, 2), kernel=per_axis(kernel_size, 2),
                           stride=per_axis(stride, 2), padding=per_axis(padding, 2), dilation=per_axis(dilation, 2))

    return batched("fold", run, input, 1)
