"""Loss functions by PyTorch's names. `reduction` is "mean", "sum" or "none"; the classes are along axis 1."""

import math
import reprlib

import gyre

_REDUCTIONS = ("none", "mean", "sum")


def _reduction(reduction, size_average=None, reduce=None):
    """The reduction, also by PyTorch's deprecated size_average and reduce."""
    if size_average is not None or reduce is not None:
        return "none" if reduce is False else "sum" if size_average is False else "mean"
    if reduction not in _REDUCTIONS:
        raise ValueError(f"reduction: expected none, mean or sum, got {reprlib.repr(reduction)}")
    return reduction


def _reduced(terms, reduction, size_average=None, reduce=None):
    reduction = _reduction(reduction, size_average, reduce)
    return terms if reduction == "none" else terms.mean() if reduction == "mean" else terms.sum()


def _weighted(terms, weight, reduction, size_average=None, reduce=None):
    """The mean of weighted terms is divided by the sum of the weights."""
    reduction = _reduction(reduction, size_average, reduce)
    if weight is None:
        return _reduced(terms, reduction)
    weight = gyre.expand(weight, terms.shape)
    terms = terms * weight
    return terms.sum() / weight.sum() if reduction == "mean" else _reduced(terms, reduction)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Mean squared error: (x - y)^2."""
    if weight is None:
        return gyre.mse(input, target, reduction=_reduction(reduction, size_average, reduce))
    return _weighted(gyre.square(input - target), weight, reduction, size_average, reduce)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Mean absolute error: |x - y|."""
    if weight is None:
        return gyre.l1(input, target, reduction=_reduction(reduction, size_average, reduce))
    return _weighted(gyre.abs(input - target), weight, reduction, size_average, reduce)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Huber loss of delta = beta, divided by beta; l1_loss for beta = 0."""
    if beta < 0:
        raise ValueError(f"smooth_l1_loss: expected beta of 0 or more, got {beta}")
    if beta == 0:
        return l1_loss(input, target, size_average, reduce, reduction)
    return gyre.smooth_l1(input, target, beta=beta, reduction=_reduction(reduction, size_average, reduce))


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Huber loss: (x - y)^2 / 2 where |x - y| <= delta, otherwise delta (|x - y| - delta / 2)."""
    if delta <= 0:
        raise ValueError(f"huber_loss: expected delta above 0, got {delta}")
    if weight is None:
        return gyre.huber(input, target, delta=delta, reduction=_reduction(reduction))
    return _weighted(gyre.huber(input, target, delta=delta, reduction="none"), weight, reduction)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Binary cross entropy of probabilities; `weight` multiplies the terms."""
    reduction = _reduction(reduction, size_average, reduce)
    if weight is None:
        return gyre.bce(input, target, reduction=reduction)
    return _reduced(gyre.bce(input, target, reduction="none") * weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean",
                                     pos_weight=None):
    """Binary cross entropy of logits; `weight` multiplies the terms, `pos_weight` those of positive targets."""
    reduction = _reduction(reduction, size_average, reduce)
    if weight is None:
        return gyre.bce_with_logits(input, target, pos_weight, reduction=reduction)
    return _reduced(gyre.bce_with_logits(input, target, pos_weight, reduction="none") * weight, reduction)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """Kullback-Leibler divergence of target from log-probabilities; "batchmean": the sum divided by the batch size."""
    if reduction == "batchmean" and size_average is None and reduce is None:
        total = gyre.kl_div(input, target, log_target=log_target, reduction="sum")
        return total / input.shape[0] if input.ndim else total
    return gyre.kl_div(input, target, log_target=log_target, reduction=_reduction(reduction, size_average, reduce))


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
                  label_smoothing=0.0):
    """-log softmax(x)[target] of logits [batch, classes, ...]; a target of the shape of the logits holds class
    probabilities."""
    return gyre.cross_entropy(input, target, weight, axis=1 if input.ndim > 1 else 0, ignore_index=ignore_index,
                              label_smoothing=label_smoothing,
                              reduction=_reduction(reduction, size_average, reduce))


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean",
                         ignore_index=None, label_smoothing=0.0, options=None):
    """cross_entropy of the logits x W^T + bias, W [classes, ..., width]; `options`, how PyTorch splits the computation,
    have no effect."""
    shape, width = linear_weight.shape[:-1], linear_weight.shape[-1]
    bias = None if linear_bias is None else linear_bias.reshape(math.prod(shape))
    logits = gyre.linear(input, linear_weight.reshape(math.prod(shape), width), bias)
    return cross_entropy(logits.reshape(*input.shape[:-1], *shape), target, weight, reduction=reduction,
                         ignore_index=-100 if ignore_index is None else ignore_index, label_smoothing=label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """-x[target] of log-probabilities [batch, classes, ...]."""
    return gyre.nll(input, target, weight, axis=1 if input.ndim > 1 else 0, ignore_index=ignore_index,
                    reduction=_reduction(reduction, size_average, reduce))


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
                     reduction="mean"):
    """Negative log-likelihood of Poisson counts; `full`: add Stirling's approximation of log(target!)."""
    terms = gyre.exp(input) - target * input if log_input else input - target * gyre.log(input + eps)
    if full:
        known = gyre.where(target > 1, target, 1.0)
        stirling = known * gyre.log(known) - known + gyre.log(known * (2 * math.pi)) * 0.5
        terms = terms + gyre.where(target > 1, stirling, 0.0)
    return _reduced(terms, reduction, size_average, reduce)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """Negative log-likelihood of a Gaussian with mean `input` and variance max(var, eps); `full`: add the constant."""
    if not isinstance(var, gyre.Tensor):
        var = gyre.full(input.shape, float(var), dtype=input.dtype)
    elif var.ndim == input.ndim - 1 and var.shape == input.shape[:-1]:
        var = var.unsqueeze(-1)
    if gyre.any(var < 0).item():
        raise ValueError("gaussian_nll_loss: expected variances of 0 or more, got negative ones")
    var = var + gyre.relu(eps - var.detach())  # clamped, with the gradient of the unclamped variance
    terms = (gyre.log(var) + gyre.square(input - target) / var) * 0.5
    return _reduced(terms + 0.5 * math.log(2 * math.pi) if full else terms, reduction)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """x where the target is 1, max(0, margin - x) where it is -1."""
    positive = gyre.where(target != -1, input, 0.0)
    negative = gyre.where(target != 1, gyre.relu(margin - input), 0.0)
    return _reduced(positive + negative, reduction, size_average, reduce)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + e^(-y x)) for targets y of 1 and -1."""
    return _reduced(gyre.softplus(-target * input), reduction, size_average, reduce)


def margin_ranking_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    """max(0, -y (x1 - x2) + margin) for targets y of 1 and -1."""
    return _reduced(gyre.relu(margin - target * (input1 - input2)), reduction, size_average, reduce)


def cosine_embedding_loss(input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction="mean"):
    """1 - cos(x1, x2) where the target is 1, max(0, cos(x1, x2) - margin) where it is -1."""
    dot, tiny = (input1 * input2).sum(axes=(-1,)), 1e-12  # as in PyTorch, inside the root
    squares = ((input1 * input1).sum(axes=(-1,)) + tiny) * ((input2 * input2).sum(axes=(-1,)) + tiny)
    cosine = dot / gyre.sqrt(squares)
    terms = gyre.where(target == 1, 1.0 - cosine, gyre.where(target == -1, gyre.relu(cosine - margin), 0.0))
    return _reduced(terms, reduction, size_average, reduce)


def _class_rows(input, target, name):
    """Scores [batch, classes] and targets with a batch axis."""
    if input.ndim > 2:
        raise ValueError(f"{name}: expected scores [batch, classes] or [classes], got {list(input.shape)}")
    return (input, target) if input.ndim == 2 else (input.reshape(1, -1), target.reshape(1, -1))


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Multi-class hinge loss: mean over classes i other than y of max(0, margin - x[y] + x[i])^p."""
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss: expected p of 1 or 2, got {p}")
    scores, labels = _class_rows(input, target, "multi_margin_loss")
    index = labels.reshape(-1, 1)
    hinge = gyre.relu(margin - gyre.gather(scores, index, axis=1) + scores)
    terms = hinge if p == 1 else gyre.square(hinge)
    if weight is not None:
        terms = terms * gyre.index_select(weight, index.reshape(-1)).unsqueeze(1)
    others = gyre.arange(scores.shape[1]).unsqueeze(0) != index
    rows = gyre.where(others, terms, 0.0).sum(axes=(1,)) / scores.shape[1]
    return _reduced(rows if input.ndim == 2 else rows.reshape(target.shape), reduction, size_average, reduce)


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Multi-label hinge loss; the labels of a row of the target end at its first -1."""
    scores, labels = _class_rows(input, target, "multilabel_margin_loss")
    known = gyre.cumprod((labels >= 0).to(dtype="i64"), axis=1) > 0
    index = gyre.where(known, labels, 0)
    is_label = gyre.scatter_add(gyre.zeros(scores.shape, dtype="i64"), index, known.to(dtype="i64"), axis=1) > 0
    hinge = gyre.relu(1 - gyre.gather(scores, index, axis=1).unsqueeze(2) + scores.unsqueeze(1))
    counted = known.unsqueeze(2).logical_and(is_label.logical_not().unsqueeze(1))
    rows = gyre.where(counted, hinge, 0.0).sum(axes=(1, 2)) / scores.shape[1]
    return _reduced(rows if input.ndim == 2 else rows[0], reduction, size_average, reduce)


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """Binary cross entropy of logits, averaged over the classes (the last axis)."""
    terms = gyre.bce_with_logits(input, target, reduction="none")
    terms = terms if weight is None else terms * weight
    return _reduced(terms.mean(axes=(-1,)), reduction, size_average, reduce)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None,
                        reduce=None, reduction="mean"):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) (Balntas et al. 2016)."""
    from gyre.nn.functional.distances import pairwise_distance

    return triplet_margin_with_distance_loss(
        anchor, positive, negative, distance_function=lambda x, y: pairwise_distance(x, y, p, eps), margin=margin,
        swap=swap, reduction=_reduction(reduction, size_average, reduce))


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    """triplet_margin_loss of any distance; `swap`: use the nearer of anchor and positive to the negative."""
    from gyre.nn.functional.distances import pairwise_distance

    if margin <= 0:
        raise ValueError(f"triplet_margin_loss: expected margin above 0, got {margin}")
    distance = distance_function or pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = gyre.minimum(far, distance(positive, negative))
    return _reduced(gyre.relu(near - far + margin), reduction)


def _ctc_labels(targets, target_lengths, blank):
    """Padded targets [batch, longest] with blanks between, before and after: [batch, 2 longest + 1]."""
    lengths = target_lengths.tolist()
    longest = max(lengths, default=0)
    if targets.ndim == 1:  # one target after another
        starts = gyre.cumsum(target_lengths, axis=0) - target_lengths
        index = starts.unsqueeze(1) + gyre.arange(longest).unsqueeze(0)
        targets = gyre.take(targets, gyre.clamp(index, 0, max(targets.numel() - 1, 0))) if longest else \
            gyre.zeros((len(lengths), 0), dtype=targets.dtype)
    targets = targets[:, :longest]
    blanks = gyre.full((len(lengths), longest, 1), blank, dtype=targets.dtype)
    pairs = gyre.cat([blanks, targets.unsqueeze(2)], axis=2).reshape(len(lengths), 2 * longest)
    return gyre.cat([pairs, gyre.full((len(lengths), 1), blank, dtype=targets.dtype)], axis=1)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """Connectionist temporal classification (Graves et al. 2006) of log_probs [steps, batch, classes]; "mean" divides
    each loss by the length of its target."""
    _reduction(reduction)
    single = log_probs.ndim == 2
    if single:
        log_probs, targets = log_probs.unsqueeze(1), targets.reshape(1, -1) if targets.ndim == 1 else targets
    input_lengths, target_lengths = (
        gyre.tensor(t.tolist() if isinstance(t, gyre.Tensor) else t, dtype="i64").reshape(-1)
        for t in (input_lengths, target_lengths))
    losses = -_ctc_log_likelihood(log_probs, targets.to(dtype="i64"), input_lengths, target_lengths, blank)
    if zero_infinity:
        losses = gyre.where(gyre.isinf(losses), 0.0, losses)
    if reduction == "mean":
        return (losses / gyre.clamp(target_lengths, 1, 1 << 62).to(dtype=losses.dtype)).mean()
    return losses.sum() if reduction == "sum" else losses[0] if single else losses


def _ctc_log_likelihood(log_probs, targets, input_lengths, target_lengths, blank):
    never = -1e30  # finite, since the gradient of logsumexp of infinities is NaN
    labels = _ctc_labels(targets, target_lengths, blank)
    batch, states = labels.shape
    emitted = gyre.gather(log_probs, labels.unsqueeze(0).expand(shape=(log_probs.shape[0], batch, states)), axis=2)
    changed = labels[:, 2:] != labels[:, :-2]  # a state can be reached from two before unless the label repeats
    changed = changed.logical_and(labels[:, 2:] != blank).to(dtype=emitted.dtype)
    skips = gyre.pad(changed, (0, min(2, states)), (0, 0)) > 0
    position = gyre.arange(states).unsqueeze(0)
    alpha = gyre.where(gyre.logical_and(position < 2, position <= 2 * target_lengths.unsqueeze(1)), emitted[0], never)
    for step in range(1, log_probs.shape[0]):
        one, two = (gyre.pad(alpha, (0, k), (0, 0), value=never)[:, :states] for k in (1, 2))
        reached = gyre.logsumexp(gyre.stack([alpha, one, gyre.where(skips, two, never)]), axes=(0,)) + emitted[step]
        alpha = gyre.where((input_lengths > step).unsqueeze(1), reached, alpha)
    last = (2 * target_lengths).unsqueeze(1)
    ends = gyre.where(gyre.logical_or(position == last, position == last - 1), alpha, never)
    total = gyre.logsumexp(ends, axes=(1,))
    total = gyre.where(input_lengths > 0, total, gyre.where(target_lengths == 0, 0.0, never))
    # PyTorch's gradient is that of normalised probabilities: it also subtracts them, a term of value 0
    used = (gyre.arange(log_probs.shape[0]).unsqueeze(1) < input_lengths).unsqueeze(2)
    sums = gyre.where(used, gyre.exp(log_probs), 0.0).sum(axes=(0, 2))
    return gyre.where(total < never / 2, -math.inf, total - (sums - sums.detach()))
