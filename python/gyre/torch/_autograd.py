"""Calls of gyre in PyTorch's autograd: recorded in its graph, and inside the transforms of torch.func."""

import torch
from torch.autograd import forward_ad
from torch.autograd.function import _SingleLevelFunction


def _forward_mode():
    return forward_ad._current_level >= 0


# Whether a dispatch mode observes calls; whether a transform is active.
MODES = (torch._C._len_torch_dispatch_stack,)
TRANSFORMS = (torch._C._are_functorch_transforms_active, _forward_mode)


_saved_tensors_hooks = torch._C._autograd._top_saved_tensors_default_hooks
_keeps_graph = torch._C._autograd._get_current_graph_task_keep_graph


class Recorded(_SingleLevelFunction):
    """Applies a Call to operands as one node of PyTorch's graph, which keeps gyre's own record of the call.

    Backward uses that record. If backward itself must be recorded, or the record was dropped, it is a Call of
    its own. Tensors needed for backward are saved with PyTorch too, which detects in-place changes."""

    @staticmethod
    def forward(ctx, call, *operands):
        record = call.record(operands, ctx.needs_input_grad[1:])
        results, places, read, constant = record.parts
        ctx.save_for_backward(*[operands[i] for i in places], *[results[i] for i in read])
        if constant:
            ctx.mark_non_differentiable(*[results[i] for i in constant if results[i] is not None])
        ctx.set_materialize_grads(False)
        ctx.record, ctx.places, ctx.operands = record, places, _without_tensors(operands)
        if _saved_tensors_hooks(True):
            record.drop()  # hooks take over the saved tensors
        return results

    @staticmethod
    def backward(ctx, *cotangents):
        wanted, record = ctx.needs_input_grad[1:], ctx.record
        saved = ctx.saved_tensors
        if record.alive and not torch.is_grad_enabled():
            return None, *record.backward(cotangents, wanted, _keeps_graph())
        operands = list(ctx.operands)
        for place, tensor in zip(ctx.places, saved):
            operands[place] = tensor
        found = apply(record.reverse(wanted), (*operands, *cotangents))
        return None, *_at_marks(found, wanted)


def apply(call, operands):
    """Runs a Call; the results are a tuple."""
    recorded = torch.is_grad_enabled() and any(isinstance(x, torch.Tensor) and x.requires_grad for x in operands)
    return record(call, operands) if recorded else call.run(operands)


def record(call, operands):
    """Runs a Call, recorded by autograd."""
    return Recorded.apply(call, *operands)


class Transformed(torch.autograd.Function):
    """Applies a Call to operands inside torch.func or forward-mode AD, using gyre's derivative of the call."""

    @staticmethod
    def forward(call, *operands):
        return call.run(operands)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.call, *operands = inputs
        tensors = [x for x in operands if isinstance(x, torch.Tensor)]
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)
        ctx.places = [i for i, x in enumerate(operands) if isinstance(x, torch.Tensor)]
        ctx.operands = _without_tensors(operands)
        ctx.mark_non_differentiable(*(y for y in output if y is not None and not y.is_floating_point()))
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx, *cotangents):
        wanted = ctx.needs_input_grad[1:]
        found = Transformed.apply(ctx.call.reverse(wanted), *_operands(ctx), *cotangents)
        return None, *_at_marks(found, wanted)

    @staticmethod
    def jvp(ctx, _, *tangents):
        marks = [t is not None for t in tangents]
        along = [t for t in tangents if t is not None]
        return Transformed.apply(ctx.call.forward(marks), *_operands(ctx), *along)

    @staticmethod
    def vmap(info, axes, call, *operands):
        results = Transformed.apply(call.batch(axes[1:]), *operands)
        if info.randomness != "same" and call.draws:
            raise RuntimeError('vmap: gyre draws the same random numbers for every slice; use randomness="same" '
                               "or draw them outside vmap")
        return results, tuple(0 for _ in results)


def transform(call, operands):
    """Runs a Call inside a transform."""
    return Transformed.apply(call, *operands)


def _without_tensors(operands):
    return [None if isinstance(x, torch.Tensor) else x for x in operands]


def _operands(ctx):
    operands = list(ctx.operands)
    for place, tensor in zip(ctx.places, ctx.saved_tensors):
        operands[place] = tensor
    return operands


def _at_marks(found, marks):
    found = iter(found)
    return (next(found) if m else None for m in marks)
