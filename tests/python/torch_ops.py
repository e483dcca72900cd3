"""Which call of PyTorch is which op of gyre.

`counterpart(name)` gives a function of (tensors of torch..., attributes of gyre by name). Ops that
have the same name and arguments in both need no row here: axis and axes become dim.
"""

import torch
import torch.nn.functional as F

from common import torch_dtype

def of_floats(fn):
    """For what torch has with a number in the place of a tensor."""
    def call(*tensors, **attributes):
        if not all(t.is_floating_point() for t in tensors):
            raise TypeError("not of integers")
        return fn(*tensors, **attributes)
    return call


def axis_slice(x, axis, start, stop, step):
    step = min(step, max(x.shape[axis], 1))  # torch adds to it without looking for overflow
    return x[(slice(None),) * (axis % x.dim()) + (slice(start, stop, step),)]


def embed(x, axis, start, step, size):
    shape = list(x.shape)
    n, shape[axis] = shape[axis], size
    end = start + step * (n - 1) + 1 if n else start
    return torch.slice_scatter(x.new_zeros(shape), x, axis, start, end, step)


def squeeze(x, axes):
    return torch.squeeze(x, tuple(axes)) if axes else torch.squeeze(x)


def one_axis(fn):
    """For argmax: axes is one axis or empty for all."""
    return lambda x, axes, keepdim: fn(x, dim=axes[0] if axes else None, keepdim=keepdim)


def extremum(fn):
    return lambda x, axes, keepdim: fn(x, dim=tuple(axes), keepdim=keepdim)


def scatter_add(x, index, src, axis):
    # torch differentiates it for a src of index's shape only
    return torch.scatter_add(x, axis, index.long(), src[tuple(slice(n) for n in index.shape)])


def cross_entropy_rows(logits, target, axis):
    rows = logits.movedim(axis, -1)
    target = target.long().expand(rows.shape[:-1])
    losses = F.cross_entropy(rows.reshape(-1, rows.shape[-1]), target.reshape(-1), reduction="none")
    return losses.reshape(target.shape)


def cross_entropy(logits, target, axis):
    return cross_entropy_rows(logits, target, axis).mean()


def layer_norm(x, weight, bias, axis, eps):
    rows = x.movedim(axis, -1)
    y = F.layer_norm(rows, rows.shape[-1:], eps=eps).movedim(-1, axis)
    return y * weight + bias


def rms_norm(x, weight, axis, eps):
    rows = x.movedim(axis, -1)
    return F.rms_norm(rows, rows.shape[-1:], eps=eps).movedim(-1, axis) * weight


def attention(q, k, v, causal, offset, scale):
    mask = None
    if causal:
        at = torch.arange(q.shape[-2])[:, None] + offset
        mask = torch.arange(k.shape[-2])[None, :] <= at
    return F.scaled_dot_product_attention(q, k, v, mask, scale=scale or None)


CALLS = {
    # elementwise
    "where": lambda condition, x, y: torch.where(condition != 0, x, y),
    "shift_left": torch.bitwise_left_shift,
    "shift_right": torch.bitwise_right_shift,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "leaky_relu": of_floats(lambda x, slope: torch.where(x > 0, x, x * slope)),
    "elu": of_floats(lambda x, alpha: torch.where(x > 0, x, alpha * torch.expm1(x.clamp(max=0)))),
    "add_relu": lambda x, y: torch.relu(x + y),
    "mul_relu": lambda x, y: torch.relu(x * y),
    "affine": lambda x, scale, bias: torch.addcmul(bias, x, scale),
    # reductions
    "max": extremum(torch.amax),
    "min": extremum(torch.amin),
    "argmax": one_axis(torch.argmax),
    "argmin": one_axis(torch.argmin),
    # shapes
    "reshape": lambda x, shape: x.reshape(shape),
    "permute": lambda x, axes: x.permute(axes),
    "transpose": lambda x, axis0, axis1: x.transpose(axis0, axis1),
    "expand": lambda x, shape: x.expand(shape),
    "squeeze": squeeze,
    "slice": axis_slice,
    "select": lambda x, axis, index: torch.select(x, axis, index),
    "embed": embed,
    "to": lambda x, dtype: x.to(torch_dtype(dtype)),
    "cat": lambda *xs, axis: torch.cat(xs, axis),
    "stack": lambda *xs, axis: torch.stack(xs, axis),
    # indices
    "gather": lambda x, index, axis: torch.gather(x, axis, index.long()),
    "scatter_add": scatter_add,
    "index_select": lambda x, index, axis: torch.index_select(x, axis, index),
    "index_add": lambda x, index, src, axis: torch.index_add(x, axis, index, src),
    "embedding": lambda weight, index: weight[index.long()],
    "one_hot": lambda index, classes, dtype: (index[..., None] == torch.arange(classes)).to(torch_dtype(dtype)),
    # rows
    "softmax_backward": lambda g, y, axis: torch._softmax_backward_data(g, y, axis, g.dtype),
    "log_softmax_backward": lambda g, y, axis: torch._log_softmax_backward_data(g, y, axis, g.dtype),
    "layer_norm": layer_norm,
    "rms_norm": rms_norm,
    "cross_entropy_rows": cross_entropy_rows,
    "cross_entropy": cross_entropy,
    "mse": F.mse_loss,
    "scaled_dot_product_attention": attention,
}

# Ops that torch lacks or whose values cannot be compared, each with the reason.
RANDOM = "its numbers are those of gyre's generator; tested beside the source"
WITHOUT = {name: RANDOM for name in ("rand", "randn", "randint", "bernoulli", "dropout")}


def by_name(name):
    """The function of this name with axis and axes as dim, or None."""
    for home in (torch, F, torch.special, torch.linalg, torch.Tensor):
        if hasattr(home, name):
            fn = getattr(home, name)
            break
    else:
        return None

    def call(*tensors, **attributes):
        named = {{"axis": "dim", "axes": "dim"}.get(k, k): v for k, v in attributes.items()}
        if named.get("dim") == ():
            named["dim"] = None
        return fn(*tensors, **named)

    return call


def counterpart(name):
    """torch's call for an op of gyre; None when there is none."""
    return None if name in WITHOUT else CALLS.get(name) or by_name(name)
