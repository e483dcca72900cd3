"""The PyTorch counterpart of each gyre op.

`counterpart(name)` returns a function of (torch tensors..., gyre attributes by name). Ops with the same name
and arguments in both need no entry here: axis and axes become dim.
"""

import math
import pathlib
import re

import torch
import torch.nn.functional as F

from common import torch_dtype

class NotComparable(Exception):
    """A call whose values torch cannot compute."""


def of_floats(fn):
    """For torch functions that take a number in place of a tensor."""
    def call(*tensors, **attributes):
        if not all(t.is_floating_point() for t in tensors):
            raise TypeError("not of integers")
        return fn(*tensors, **attributes)
    return call


def axis_slice(x, axis, start, stop, step):
    step = min(step, max(x.shape[axis], 1))  # torch adds to it without checking for overflow
    return x[(slice(None),) * (axis % x.dim()) + (slice(start, stop, step),)]


def slice_embed(x, axis, start, step, size):
    shape = list(x.shape)
    n, shape[axis] = shape[axis], size
    end = start + step * (n - 1) + 1 if n else start
    return torch.slice_scatter(x.new_zeros(shape), x, axis, start, end, step)


def rows(x):
    """x as it is in memory of its own, in row-major order."""
    return x.clone(memory_format=torch.contiguous_format)


def squeeze(x, axes):
    return torch.squeeze(x, tuple(axes)) if axes else torch.squeeze(x)


def all_axes(x, axes):
    return tuple(axes) or tuple(range(x.dim()))

#-- -- reductions -- --


def one_axis(fn):
    """For argmax: axes is one axis, or empty for all."""
    return lambda x, axes, keepdim: fn(x, dim=axes[0] if axes else None, keepdim=keepdim)


def extremum(fn):
    return lambda x, axes, keepdim: fn(x, dim=tuple(axes), keepdim=keepdim)


def prod(x, axes, keepdim):
    axes = [a % x.dim() for a in all_axes(x, axes)]
    if not axes:
        return torch.prod(x)
    for axis in sorted(axes, reverse=True):
        x = torch.prod(x, axis, keepdim)
    return x


def scan(fn):
    def call(x, axis, reverse):
        return fn(x.flip(axis), axis).flip(axis) if reverse else fn(x, axis)
    return call


def linear_recurrence(a, b, axis, reverse):
    if not b.dim() or not b.shape[axis]:
        return b + 0 * a
    y, rows = None, []
    for a_k, b_k in zip(*(t.flip(axis).unbind(axis) if reverse else t.unbind(axis) for t in (a, b))):
        y = b_k if y is None else a_k * y + b_k
        rows.append(y)
    return torch.stack(rows[::-1] if reverse else rows, axis)


def quantile(x, q, axes, keepdim, interpolation):
    x = x if x.is_floating_point() else x.float()
    axes = [a % x.dim() for a in all_axes(x, axes)]
    kept = [a for a in range(x.dim()) if a not in axes]
    flat = (x.permute([*kept, *axes]) if x.dim() else x).reshape([x.shape[a] for a in kept] + [-1])
    result = torch.quantile(flat, q, -1, interpolation=interpolation)
    return result.reshape([1 if a in axes else n for a, n in enumerate(x.shape)]) if keepdim else result


def topk(x, k, axis, largest, sorted):
    """torch does not specify which of equal elements it takes, nor the order without sorting."""
    if not x.dim():
        return torch.topk(x, k)
    places = torch.sort(x, dim=axis, descending=largest, stable=True)[1].narrow(axis, 0, k)
    places = places if sorted else torch.sort(places, dim=axis)[0]
    return torch.gather(x, axis, places), places

#-- -- shapes -- --


def roll(x, shifts, axes):
    if not axes or not x.dim():
        return x.clone()
    return torch.roll(x, [n % max(x.shape[axis], 1) for n, axis in zip(shifts, axes)], axes)


def pad(x, before, after, mode, value):
    if mode == "constant":
        return F.pad(x, [n for pair in zip(before[::-1], after[::-1]) for n in pair], value=value)
    for axis, (first, last) in enumerate(zip(before, after)):  # torch's takes only the last axes
        n = x.shape[axis]
        at = torch.arange(-first, n + last)
        at = at.clamp(0, n - 1) if mode == "replicate" else at % n if mode == "circular" else at.abs()
        at = at if mode != "reflect" else n - 1 - (n - 1 - at).abs()
        x = x.index_select(axis, at)
    return x


def overlap_add(x, axis, step, length):
    sizes = list(x.shape[:-1])
    sizes[axis] = length
    out, axis = x.new_zeros(sizes) + 0 * x.sum(), axis % len(sizes)
    for k in range(x.shape[axis]):
        out.narrow(axis, k * step, x.shape[-1]).add_(x.select(axis, k).movedim(-1, axis))
    return out


def diag_embed(x, offset, axis0, axis1, rows, columns):
    rank, n = x.dim() + 1, x.shape[-1] + abs(offset)
    sizes = list(x.shape[:-1])
    for axis, size in sorted(((axis0 % rank, rows), (axis1 % rank, columns))):
        sizes.insert(axis, n if size < 0 else size)
    return torch.ops.aten.diagonal_backward(x, sizes, offset, axis0, axis1)

#-- -- indices -- --


def within(src, index):
    """torch differentiates scatter only if src has the shape of index."""
    return src[tuple(slice(n) for n in index.shape)]


def written(x, places, values):
    """x with values at indices in row-major order; for duplicate indices the last value counts, which torch
    leaves undefined."""
    last = {place: i for i, place in enumerate(places.reshape(-1).tolist())}
    at, of = torch.tensor(list(last)).long(), torch.tensor(list(last.values())).long()
    return x.reshape(-1).index_copy(0, at, values.reshape(-1)[of]).reshape(x.shape)


def numbered(x):
    return torch.arange(x.numel()).reshape(x.shape)


def scatter(x, index, src, axis):
    return written(x, torch.gather(numbered(x), axis, index.long()), within(src, index))


def index(x, *indices):
    return x[tuple(slice(None) if i is None else i for i in indices)]


def index_put(x, values, *indices, accumulate):
    if accumulate:
        return torch.ops.aten.index_put(x, list(indices), values, True)
    places = index(numbered(x), *indices)
    return written(x, places, values.expand(places.shape))


def bincount(x, weights=None, *, minlength):
    if weights is None:
        return torch.bincount(x, minlength=minlength)
    weights = weights if weights.is_floating_point() else weights.long()
    size = max(int(x.max()) + 1 if len(x) else 0, minlength)  # torch's has no gradient
    return weights.new_zeros(size).index_add(0, x, weights)

#-- -- rows and losses -- --


def by_row(target, logits, axis):
    rows = logits.movedim(axis, -1)
    return rows.reshape(-1, rows.shape[-1]), target.long().expand(rows.shape[:-1])


def cross_entropy_rows(logits, target, axis, **named):
    rows, target = by_row(target, logits, axis)
    weight = named.pop("weight", None)
    named["weight"] = None if weight is None else weight.reshape(-1)
    return F.cross_entropy(rows, target.reshape(-1), reduction="none", **named).reshape(target.shape)


def weighted_cross_entropy_rows(logits, weight, target, axis, ignore_index, label_smoothing):
    return cross_entropy_rows(logits, target, axis, weight=weight, ignore_index=ignore_index,
                              label_smoothing=label_smoothing)


def probability_cross_entropy_rows(logits, target, weight=None, *, axis, label_smoothing):
    logits, target = logits.movedim(axis, -1), target.movedim(axis, -1)
    losses = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), target.reshape(-1, target.shape[-1]),
                             None if weight is None else weight.reshape(-1), reduction="none",
                             label_smoothing=label_smoothing)
    return losses.reshape(logits.shape[:-1])


def classes_second(fn):
    """torch expects the class axis in second place."""
    def call(x, target, weight=None, *, axis, **named):
        second = min(1, x.dim() - 1)
        same = target.is_floating_point()
        target = target.movedim(axis, second) if same else target.long()
        return fn(x.movedim(axis, second), target, weight, **named)
    return call


def broadcast_loss(fn, **named):
    return lambda x, y, *rest: fn(*torch.broadcast_tensors(x, y), *rest, reduction="none", **named)


def huber_terms(x, y, delta):
    d = (x - y).abs()
    return torch.where(d <= delta, d * d / 2, delta * (d - delta / 2))


def logits_terms(x, y, pos_weight):
    x, y, pos_weight = torch.broadcast_tensors(x, y, pos_weight)
    return F.binary_cross_entropy_with_logits(x, y, pos_weight=pos_weight, reduction="none")


def scaled(y, weight, bias=None):
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


def layer_norm(x, weight=None, bias=None, *, axis, eps):
    rows = x.movedim(axis, -1)
    return scaled(F.layer_norm(rows, rows.shape[-1:], eps=eps).movedim(-1, axis), weight, bias)


def rms_norm(x, weight=None, *, axis, eps):
    rows = x.movedim(axis, -1)
    return scaled(F.rms_norm(rows, rows.shape[-1:], eps=eps).movedim(-1, axis), weight)


def standardize(x, mean, variance, weight=None, bias=None, *, axis, eps):
    shape = list(x.shape)
    del shape[axis]
    mean, variance, weight, bias = (t if t is None else t.expand(shape).unsqueeze(axis)
                                    for t in (mean, variance, weight, bias))
    return scaled((x - mean) / torch.sqrt(variance + eps), weight, bias)


def group_norm(x, weight=None, bias=None, *, groups, eps):
    rows = [-1] + [1] * (x.dim() - 2)
    weight, bias = (t if t is None else t.reshape(rows) for t in (weight, bias))
    return scaled(F.group_norm(x, groups, eps=eps), weight, bias)


def batch_norm(x, weight=None, bias=None, mean=None, variance=None, *, eps):
    out = F.batch_norm(x, mean, variance, weight, bias, training=mean is None, eps=eps)
    if mean is None:
        variance, mean = torch.var_mean(x, [a for a in range(x.dim()) if a != 1], correction=0)
    return out, mean, variance


def attention(q, k, v, mask=None, lengths=None, *, causal, scale, softcap, window, dropout, **words):
    if dropout:
        raise NotComparable
    queries, keys = torch.arange(q.shape[-2])[:, None], torch.arange(k.shape[-2])
    if lengths is None:
        distance, seen = queries - keys, torch.ones((), dtype=torch.bool)
    else:
        lengths = lengths[(..., *[None] * min(q.dim(), 3))]
        distance, seen = queries + lengths - q.shape[-2] - keys, keys < lengths
    seen = seen & ((distance >= 0) | (not causal))
    seen = seen & (distance.abs() < window) if window else seen
    if mask is not None:
        seen = mask & seen if mask.dtype == torch.bool else torch.where(seen, mask, -math.inf)
    if q.dim() > 2:
        k, v = (t.repeat_interleave(q.shape[-3] // t.shape[-3], -3) if t.shape[-3] else t for t in (k, v))
    if not softcap:
        return F.scaled_dot_product_attention(q, k, v, seen, scale=scale or None)
    scores = softcap * torch.tanh(q @ k.mT * (scale or q.shape[-1] ** -0.5) / softcap)
    scores = torch.where(seen, scores, -math.inf) if seen.dtype == torch.bool else scores + seen
    blind = (scores == -math.inf).all(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(blind, 0), -1).masked_fill(blind, 0) @ v


def rope(x, positions=None, frequencies=None, *, base, position, width, interleaved, inverse):
    steps, width = x.shape[-2], width or x.shape[-1]
    positions = torch.arange(steps) + position if positions is None else positions
    if frequencies is None:
        frequencies = base ** (-2.0 * torch.arange(width // 2, dtype=torch.float64) / width)
    angles = positions[..., None] * frequencies.double()
    cos, sin = torch.cos(angles), torch.sin(-angles if inverse else angles)
    pairs = x[..., :width].unflatten(-1, (width // 2, 2) if interleaved else (2, width // 2))
    a, b = pairs.unbind(-1 if interleaved else -2)
    turned = torch.stack([a * cos - b * sin, a * sin + b * cos], -1 if interleaved else -2)
    return torch.cat([turned.flatten(-2), x[..., width:]], -1)

#-- -- matrices -- --


def symmetric(x):
    return (x + x.mT) / 2


def signs(x):
    """-1 for columns whose largest-magnitude element is negative, else 1: [..., 1, columns]."""
    if not x.shape[-2]:
        return x.new_ones((*x.shape[:-2], 1, x.shape[-1]))
    at = x.detach().abs().argmax(-2, keepdim=True)
    return torch.where(x.detach().gather(-2, at) < 0, -1.0, 1.0)


def qr(x):
    q, r = torch.linalg.qr(x)
    turned = torch.where(torch.diagonal(r.detach(), dim1=-2, dim2=-1) < 0, -1.0, 1.0)
    return q * turned[..., None, :], r * turned[..., :, None]


def svd(x):
    u, s, vh = torch.linalg.svd(x, full_matrices=False)
    return u * signs(u), s, vh * signs(u).mT


def eigh(x):
    values, vectors = torch.linalg.eigh(symmetric(x))
    return values, vectors * signs(vectors)


def of_vectors(fn):
    """Treats a vector on the right as a one-column matrix."""
    def call(a, b, **named):
        return fn(a, b[:, None], **named)[..., 0] if b.dim() == 1 else fn(a, b, **named)
    return call


def triangular_solve(a, b, upper, transpose, unitriangular, left):
    return torch.linalg.solve_triangular(a.mT if transpose else a, b, upper=upper != transpose, left=left,
                                         unitriangular=unitriangular)


def promoted(fn):
    """torch's products need operands of one dtype."""
    def call(x, y):
        dtype = torch.promote_types(x.dtype, y.dtype)
        dtype = dtype if dtype.is_floating_point else torch.int64
        return fn(x.to(dtype), y.to(dtype))
    return call


def linear_act(x, weight, bias=None, *, act):
    calls = {
  "none" : lambda y : y, "gelu_tanh" : CALLS["gelu_tanh"]}
    return (calls.get(act) or getattr(F, act))(F.linear(x, weight, bias))

#-- -- sparse matrices and semirings -- --


def element_rows(crow):
    """The row of each element of a sparse matrix (CSR)."""
    return torch.repeat_interleave(torch.arange(len(crow) - 1), torch.diff(crow.long()))


def csr_matmul(crow, col, values, dense):
    dtype = torch.promote_types(values.dtype, dense.dtype)
    if not dtype.is_floating_point:
        raise TypeError("of integers")
    matrix = values.new_zeros(len(crow) - 1, len(dense), dtype=dtype)
    return matrix.index_put((element_rows(crow), col.long()), values.to(dtype), accumulate=True) @ dense.to(dtype)


def csr_sampled_matmul(crow, col, x, y):
    dtype = torch.promote_types(x.dtype, y.dtype)
    if not dtype.is_floating_point:
        raise TypeError("of integers")
    return (x.to(dtype)[element_rows(crow)] * y.to(dtype)[col.long()]).sum(-1)


def csr_transpose(crow, col, columns):
    order = torch.argsort(col, stable=True)
    counts = torch.bincount(col.long(), minlength=columns)
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)]), element_rows(crow)[order], order


def semiring_matmul(x, y, semiring):
    if not (x.is_floating_point() or y.is_floating_point()):
        raise TypeError("of integers")
    a = x if x.dim() > 1 else x[None, :]
    b = y if y.dim() > 1 else y[:, None]
    extremum, combine = semiring.split("_")
    a, b = a[..., :, :, None], b[..., None, :, :]
    both = a + b if combine == "plus" else a * b
    none = math.inf if extremum == "min" else -math.inf
    if not both.shape[-2]:
        out = both.new_full(both.shape[:-2] + both.shape[-1:], none) + both.sum(-2)
    else:  # the gradient goes to the first that wins, and to none where nothing is better than the identity
        value, _ = (torch.min if extremum == "min" else torch.max)(both, -2)
        out = torch.where(value == none, value.detach(), value)
    out = out if x.dim() > 1 else out.squeeze(-2)
    return out if y.dim() > 1 else out.squeeze(-1)


def semiring_fixpoint(a, b, semiring):
    best = torch.minimum if semiring == "min_plus" else torch.maximum
    x = b + 0 * a.new_zeros(()) if a.is_floating_point() else b
    for _ in range(len(a)):
        x = best(x, semiring_matmul(a, x, semiring))
    return x

#-- -- windows -- --


def pair(size):
    return tuple(size) * (2 // len(size))


def of_channels(fn):
    """torch's convolutions without input channels omit them in the result."""
    def call(x, weight, bias=None, **named):
        if not x.shape[1]:
            raise NotComparable
        return fn(x, weight, bias, **named)
    return call


def conv2d_weight_gradient(x, grad, kernel, stride, padding, dilation, groups):
    shape = (grad.shape[1], x.shape[1] // groups, *pair(kernel))
    return torch.nn.grad.conv2d_weight(x, shape, grad, pair(stride), pair(padding), pair(dilation), groups)


def max_pool(fn):
    return lambda x, kernel, stride, padding, dilation, ceil_mode: fn(
        x, kernel, stride or None, padding, dilation, ceil_mode)


def avg_pool(fn):
    return lambda x, kernel, stride, padding, ceil_mode, count_include_pad: fn(
        x, kernel, stride or None, padding, ceil_mode, count_include_pad)


def avg_pool2d_gradient(grad, size, kernel, stride, padding, ceil_mode, count_include_pad):
    image = grad.new_zeros((*grad.shape[:-2], *pair(size)))
    return torch.ops.aten.avg_pool2d_backward(grad, image, pair(kernel), pair(stride or kernel), pair(padding),
                                              ceil_mode, count_include_pad, None)


def adaptive_avg_pool2d_gradient(grad, size):
    return torch.ops.aten._adaptive_avg_pool2d_backward(grad, grad.new_zeros((*grad.shape[:-2], *pair(size))))


CALLS = {
#elementwise
  "where": lambda condition, x, y: torch.where(condition != 0, x, y),
    "shift_left": torch.bitwise_left_shift,
    "shift_right": torch.bitwise_right_shift,
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "leaky_relu": of_floats(lambda x, slope: torch.where(x > 0, x, x * slope)),
    "elu": of_floats(lambda x, alpha: torch.where(x > 0, x, alpha * torch.expm1(x.clamp(max=0)))),
    "relu_squared": lambda x: torch.relu(x) * torch.relu(x),
    "add_relu": lambda x, y: torch.relu(x + y),
    "mul_relu": lambda x, y: torch.relu(x * y),
    "affine": lambda x, scale, bias: torch.addcmul(bias, x, scale),
#reductions
    "max": extremum(torch.amax),
    "min": extremum(torch.amin),
    "argmax": one_axis(torch.argmax),
    "argmin": one_axis(torch.argmin),
    "prod": prod,
    "logsumexp": lambda x, axes, keepdim: torch.logsumexp(x, all_axes(x, axes), keepdim),
    "logsumexp_rows": lambda x, axis, keepdim: torch.logsumexp(x, axis, keepdim),
    "var_rows": lambda x, axis, correction: torch.var(x, axis, correction=correction),
    "std_rows": lambda x, axis, correction: torch.std(x, axis, correction=correction),
    "norm_rows": lambda x, axis: torch.linalg.vector_norm(x, dim=axis),
    "norm": lambda x, axes, keepdim, p=2: torch.linalg.vector_norm(x, p, tuple(axes) or None, keepdim),
    "cumsum": scan(torch.cumsum),
    "cumprod": scan(torch.cumprod),
    "linear_recurrence": linear_recurrence,
#order
    "sort": lambda x, axis, descending: torch.sort(x, dim=axis, descending=descending, stable=True),
    "argsort": lambda x, axis, descending: torch.argsort(x, dim=axis, descending=descending, stable=True),
    "topk": topk,
    "bincount": bincount,
    "quantile": lambda x, q, axes, keepdim, interpolation: quantile(x, q, axes, keepdim, interpolation),
    "kthvalue": lambda x, k, axis, keepdim: torch.kthvalue(x, k, axis, keepdim),
    "median": lambda x, axis, keepdim: torch.median(x, axis, keepdim),
    "unique": lambda x: torch.unique(x, return_inverse=True, return_counts=True),
#shapes
    "reshape": lambda x, shape: x.reshape(shape),
    "permute": lambda x, axes: x.permute(axes),
    "transpose": lambda x, axis0, axis1: x.transpose(axis0, axis1),
    "expand": lambda x, shape: x.expand(shape),
    "squeeze": squeeze,
    "slice": axis_slice,
    "select": lambda x, axis, index: torch.select(x, axis, index),
    "slice_embed": slice_embed,
    "as_strided": lambda x, shape, strides, offset: torch.as_strided(rows(x), shape, strides, offset),
    "as_strided_scatter": lambda x, src, shape, strides, offset: torch.as_strided_scatter(
        rows(x), src, shape, strides, offset),
    "to": lambda x, dtype: x.to(torch_dtype(dtype)),
    "cat": lambda *xs, axis: torch.cat(xs, axis),
    "stack": lambda *xs, axis: torch.stack(xs, axis),
    "flip": lambda x, axes: torch.flip(x, all_axes(x, axes)),
    "roll": roll,
    "pad": pad,
    "split": lambda x, sizes, axis: torch.split(x, sizes, axis),
    "chunk": lambda x, chunks, axis: torch.chunk(x, chunks, axis),
    "tile": lambda x, repeats: torch.tile(x, repeats),
    "repeat_interleave": lambda x, count, axis: torch.repeat_interleave(x, count, dim=axis),
    "unfold": lambda x, axis, size, step: x.unfold(axis, size, step),
    "overlap_add": overlap_add,
    "diagonal": lambda x, offset, axis0, axis1: torch.diagonal(x, offset, axis0, axis1),
    "diag_embed": diag_embed,
#indices
    "gather": lambda x, index, axis: torch.gather(x, axis, index.long()),
    "scatter": scatter,
    "scatter_add": lambda x, index, src, axis: torch.scatter_add(x, axis, index.long(), within(src, index)),
    "scatter_reduce": lambda x, index, src, axis, reduce, include_self: torch.scatter_reduce(
        x, axis, index.long(), within(src, index), reduce, include_self=include_self),
    "index_select": lambda x, index, axis: torch.index_select(x, axis, index),
    "index_add": lambda x, index, src, axis: torch.index_add(x, axis, index, src),
    "index": index,
    "index_put": index_put,
    "take": lambda x, index: torch.take(x, index.long()),
    "embedding": lambda weight, index: weight[index.long()],
    "one_hot": lambda index, classes, dtype: (index[..., None] == torch.arange(classes)).to(torch_dtype(dtype)),
#rows
    "softmax_backward": lambda g, y, axis: torch._softmax_backward_data(g, y, axis, g.dtype),
    "log_softmax_backward": lambda g, y, axis: torch._log_softmax_backward_data(g, y, axis, g.dtype),
    "layer_norm": layer_norm,
    "rms_norm": rms_norm,
    "moments": lambda x, axis: torch.var_mean(x, axis, correction=0)[::-1],
    "standardize": standardize,
    "group_norm": group_norm,
    "batch_norm": batch_norm,
    "scaled_dot_product_attention": attention,
    "rope": rope,
#losses
    "mse_terms": of_floats(lambda x, y: torch.square(x - y)),
    "l1_terms": of_floats(lambda x, y: (x - y).abs()),
    "huber_terms": of_floats(huber_terms),
    "bce_terms": broadcast_loss(F.binary_cross_entropy),
    "bce_with_logits_terms": logits_terms,
    "kl_div_terms": broadcast_loss(F.kl_div),
    "kl_div_log_terms": broadcast_loss(F.kl_div, log_target=True),
    "mse": F.mse_loss,
    "l1": F.l1_loss,
    "huber": F.huber_loss,
    "smooth_l1": F.smooth_l1_loss,
    "bce": F.binary_cross_entropy,
    "bce_with_logits": lambda x, y, pos_weight=None, *, reduction: F.binary_cross_entropy_with_logits(
        x, y, pos_weight=pos_weight, reduction=reduction),
    "kl_div": F.kl_div,
    "nll": classes_second(F.nll_loss),
    "cross_entropy": classes_second(F.cross_entropy),
    "cross_entropy_rows": cross_entropy_rows,
    "weighted_cross_entropy_rows": weighted_cross_entropy_rows,
    "probability_cross_entropy_rows": probability_cross_entropy_rows,
#matrices
    "einsum": lambda *xs, spec: torch.einsum(spec, *xs),
    "matmul": promoted(torch.matmul),
    "addmm": lambda x, a, b, beta, alpha: beta * x + alpha * (a @ b) if beta else alpha * (a @ b),
    "tensordot": lambda x, y, x_axes, y_axes: torch.tensordot(x, y, (x_axes, y_axes)),
    "kron": lambda x, y: torch.kron(rows(x), rows(y)),
    "cross": lambda x, y, axis: torch.linalg.cross(*torch.broadcast_tensors(x, y), dim=axis),
    "trace": lambda x, offset, axis0, axis1: torch.diagonal(x, offset, axis0, axis1).sum(-1),
    "cdist": lambda x, y, p: (x.unsqueeze(-2) - y.unsqueeze(-3)).norm(p, -1),
    "pinv": lambda x, rtol: torch.linalg.pinv(x),
    "linear_act": linear_act,
    "csr_matmul": csr_matmul,
    "csr_sampled_matmul": csr_sampled_matmul,
    "csr_transpose": csr_transpose,
    "semiring_matmul": semiring_matmul,
    "semiring_fixpoint": semiring_fixpoint,
    "cholesky": lambda x: torch.linalg.cholesky(symmetric(x)),
    "qr": qr,
    "svd": svd,
    "eigh": eigh,
    "solve": of_vectors(torch.linalg.solve),
    "triangular_solve": of_vectors(triangular_solve),
    "inverse": torch.linalg.inv,
    "lstsq": of_vectors(lambda a, b: torch.linalg.pinv(a) @ b),
    "matrix_power": lambda x, power: torch.linalg.matrix_power(x, power),
#windows
    "conv2d": of_channels(F.conv2d),
    "conv_transpose2d": of_channels(F.conv_transpose2d),
    "conv2d_weight_gradient": conv2d_weight_gradient,
    "max_pool2d": max_pool(F.max_pool2d),
    "max_pool1d": max_pool(F.max_pool1d),
    "avg_pool2d": avg_pool(F.avg_pool2d),
    "avg_pool1d": avg_pool(F.avg_pool1d),
    "avg_pool2d_gradient": avg_pool2d_gradient,
    "adaptive_max_pool2d": lambda x, size: F.adaptive_max_pool2d(x, pair(size)),
    "adaptive_max_pool1d": lambda x, size: F.adaptive_max_pool1d(x, size),
    "adaptive_avg_pool2d": lambda x, size: F.adaptive_avg_pool2d(x, pair(size)),
    "adaptive_avg_pool1d": lambda x, size: F.adaptive_avg_pool1d(x, size),
    "adaptive_avg_pool2d_gradient": adaptive_avg_pool2d_gradient,
    "im2col": lambda x, kernel, stride, padding, dilation: F.unfold(
        x, *map(pair, (kernel, dilation, padding, stride))),
    "col2im": lambda x, size, kernel, stride, padding, dilation: F.fold(
        x, *map(pair, (size, kernel, dilation, padding, stride))),
}

#Ops that torch lacks or whose values are not comparable, with the reason.
RANDOM = "random numbers of gyre's generator; tested next to the source"
WITHOUT = {
name: RANDOM for name in ("rand", "randn", "randint", "bernoulli", "dropout")}
HYPERBOLIC = "torch has no hyperbolic geometry; gyre/hyperbolic/oracle/oracle_test.cpp is the judge"
TABLES = pathlib.Path(__file__).parents[2] / "gyre" / "hyperbolic"
WITHOUT.update((name, HYPERBOLIC) for table in sorted(TABLES.rglob("*.def"))
               for name in re.findall(r"^(?:ROWWISE|OP)\((\w+)", table.read_text(), re.M))
PACKED = "torch has no packed weights; they are held to decoded ones (gyre/packed/, tests/conformance/packed_test.cpp)"
WITHOUT.update((name, PACKED) for name in re.findall(
    r"^OP\((\w+)", (TABLES.parent / "packed" / "packed.def").read_text(), re.M))


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
    """torch's call for a gyre op; None if there is none."""
    return None if name in WITHOUT else CALLS.get(name) or by_name(name)
