"""Calls of torch, torch.nn and torch.nn.functional made with gyre, and their results compared in f64."""

from common import gyre, to_torch, torch

if gyre:
    import gyre.nn.functional as F
    from gyre import nn


def leaves(value, kind):
    """The tensors in nested tuples and lists."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item, kind)


def layer_like(module):
    """The layer of gyre with the options of a torch layer that is an argument of another."""
    name = type(module).__name__
    if name.startswith("Transformer"):
        attention = module.self_attn
        return getattr(nn, name)(
            attention.embed_dim, attention.num_heads, module.linear1.out_features, module.dropout.p,
            getattr(F, module.activation.__name__), module.norm1.eps, attention.batch_first, module.norm_first,
            module.linear1.bias is not None, dtype=gyre.f64)
    return getattr(nn, name)()


def converted(value, tensors):
    """An argument for gyre; `tensors` collects the copies of tensors by id."""
    if isinstance(value, torch.Tensor):
        if id(value) not in tensors:
            tensors[id(value)] = gyre.from_torch(value.detach().clone()).requires_grad_(value.requires_grad)
        return tensors[id(value)]
    if isinstance(value, torch.nn.Module):
        return layer_like(value)
    if isinstance(value, (tuple, list)):
        kind = list if isinstance(value, list) else tuple
        return kind(converted(item, tensors) for item in value)
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, torch.device):
        return str(value)
    if isinstance(value, torch.memory_format):
        return getattr(gyre, str(value).removeprefix("torch."))
    return getattr(F, getattr(value, "__name__", ""), value) if callable(value) else value


def difference(got, want, pairs):
    """What differs between results and gradients: "results", "value" or "gradient", and how; None if nothing does.
    `pairs`: (tensor of gyre, tensor of torch) whose gradients are compared."""
    got, want = list(leaves(got, gyre.Tensor)), list(leaves(want, torch.Tensor))
    if len(got) != len(want):
        return "results", f"{len(got)}, torch {len(want)}"
    try:
        for g, w in zip(got, want):
            torch.testing.assert_close(to_torch(g), w.detach(), rtol=1e-8, atol=1e-8, equal_nan=True)
    except AssertionError as error:
        return "value", str(error)
    moving = [k for k, w in enumerate(want) if w.requires_grad]
    pairs = [(ours, theirs) for ours, theirs in pairs if theirs.requires_grad]
    if not moving or not pairs:
        return None
    inputs = [t for _, t in pairs]
    constant = [want[k] for k in moving if not got[k].requires_grad]
    if constant:
        known = torch.autograd.grad([w.sum() for w in constant], inputs, retain_graph=True, allow_unused=True)
        if any(g is not None and g.any() for g in known):
            return "gradient", "a result has none, torch's has"
        moving = [k for k in moving if got[k].requires_grad]
        if not moving:
            return None
    torch.manual_seed(1)
    weights = [torch.randn_like(want[k]) for k in moving]
    known = torch.autograd.grad([want[k] for k in moving], inputs, weights, allow_unused=True)
    found = gyre.grad([got[k] for k in moving], [t for t, _ in pairs], [gyre.from_torch(w) for w in weights],
                      allow_unused=True)
    try:
        for (_, theirs), g, w in zip(pairs, found, known):
            w = torch.zeros_like(theirs) if w is None else w
            torch.testing.assert_close(torch.zeros_like(w) if g is None else to_torch(g), w, rtol=1e-7, atol=1e-7,
                                       equal_nan=True)
    except AssertionError as error:
        return "gradient", str(error)
    return None
