"""Embedding tables and one-hot vectors by PyTorch's names."""

import reprlib

import gyre


def one_hot(tensor, num_classes=-1):
    """One-hot vectors along a new last axis; num_classes: by default the largest index + 1."""
    if num_classes == -1:
        if tensor.numel() == 0:
            raise ValueError("one_hot: expected num_classes for an empty tensor, got -1")
        num_classes = int(gyre.max(tensor).item()) + 1
    return gyre.one_hot(tensor, classes=num_classes, dtype="i64")


def refuse(name, max_norm, scale_grad_by_freq, sparse):
    for option, given, instead in (("max_norm", max_norm is not None, "scale the rows of the weight after each step"),
                                   ("scale_grad_by_freq", scale_grad_by_freq, "divide the gradient by bincount()"),
                                   ("sparse", sparse, "gradients are dense")):
        if given:
            raise ValueError(f"{name}: gyre has no {option}; {instead}")


def row_of(padding_idx, weight, name):
    if padding_idx is None:
        return None
    rows = weight.shape[0]
    if not -rows <= padding_idx < rows:
        raise ValueError(f"{name}: expected padding_idx within {rows} rows, got {padding_idx}")
    return padding_idx % rows


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """Rows of the weight at the indices; the row padding_idx gets no gradient."""
    refuse("embedding", max_norm, scale_grad_by_freq, sparse)
    row = row_of(padding_idx, weight, "embedding")
    result = gyre.embedding(weight, input)
    if row is None or not weight.requires_grad:
        return result
    return gyre.where((input == row).unsqueeze(-1), result.detach(), result)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean",
                  sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    """Sums, means or maxima of rows of the weight: of each row of indices [bags, n], or of flat indices with the
    offset of each bag."""
    refuse("embedding_bag", max_norm, scale_grad_by_freq, sparse)
    if mode not in ("sum", "mean", "max"):
        raise ValueError(f"embedding_bag: expected mode sum, mean or max, got {reprlib.repr(mode)}")
    if per_sample_weights is not None and mode != "sum":
        raise ValueError(f"embedding_bag: expected mode sum with per_sample_weights, got {reprlib.repr(mode)}")
    if (input.ndim == 2) == (offsets is not None):
        raise ValueError("embedding_bag: expected indices [bags, n], or flat indices with offsets")
    flat = input.reshape(-1)
    starts = gyre.arange(input.shape[0]) * input.shape[1] if offsets is None else offsets.to(dtype="i64")
    starts = starts[:-1] if include_last_offset else starts
    bag = gyre.searchsorted(starts, gyre.arange(len(flat)), right=True) - 1
    rows = gyre.embedding(weight, flat)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    skipped = row_of(padding_idx, weight, "embedding_bag")
    if skipped is not None:
        kept = gyre.nonzero(flat != skipped).reshape(-1)
        rows, bag = gyre.index_select(rows, kept), gyre.index_select(bag, kept)
    return _pooled_bags(rows, bag, len(starts), mode)


def _pooled_bags(rows, bag, count, mode):
    blank = gyre.zeros((count, rows.shape[1]), dtype=rows.dtype)
    if mode == "max":
        index = gyre.expand(bag.unsqueeze(1), rows.shape)
        return gyre.scatter_reduce(blank, index, rows, reduce="amax", include_self=False)
    sums = gyre.index_add(blank, bag, rows)
    if mode == "sum":
        return sums
    sizes = gyre.bincount(bag, minlength=count)
    return sums / gyre.clamp(sizes, 1, 1 << 62).to(dtype=rows.dtype).unsqueeze(1)
