"""Calls of gyre on the tape of PyTorch: each is one node, which holds gyre's own record of the call."""

import torch
from torch.autograd import forward_ad

from gyre import _gyre


def _forward_mode():
    return forward_ad._current_level >= 0


# Whether calls have to go through PyTorch's dispatcher: something watches or changes them there.
MODES = (torch._C._len_torch_dispatch_stack, torch._C._are_functorch_transforms_active, _forward_mode)


class Recorded(torch.autograd.Function):
    """A TorchCall on operands. Backward walks gyre's record of it; where that walk has to be recorded
    itself, it is a TorchCall too. What the walk reads is saved with PyTorch as well, which notices
    when it is changed in place."""

    @staticmethod
    def forward(ctx, call, *operands):
        record = call.record(operands, ctx.needs_input_grad[1:])
        results = record.results
        ctx.places = record.saved_operands
        ctx.save_for_backward(*(operands[i] for i in ctx.places), *(results[i] for i in record.saved_results))
        ctx.mark_non_differentiable(*(results[i] for i in record.constant_results if results[i] is not None))
        ctx.set_materialize_grads(False)
        ctx.record = record
        ctx.operands = [None if isinstance(x, torch.Tensor) else x for x in operands]
        if torch._C._autograd._top_saved_tensors_default_hooks(True):
            record.drop()  # what is kept is theirs to say
        return results

    @staticmethod
    def backward(ctx, *cotangents):
        wanted, record = ctx.needs_input_grad[1:], ctx.record
        saved = ctx.saved_tensors
        if record.alive and not torch.is_grad_enabled():
            keep = torch._C._autograd._get_current_graph_task_keep_graph()
            return None, *record.backward(cotangents, wanted, keep)
        operands = list(ctx.operands)
        for place, tensor in zip(ctx.places, saved):
            operands[place] = tensor
        found = iter(apply(record.derivative(wanted), (*operands, *cotangents)))
        return None, *(next(found) if w else None for w in wanted)


def apply(call, operands):
    """The results of a TorchCall, as a tuple."""
    recorded = torch.is_grad_enabled() and any(isinstance(x, torch.Tensor) and x.requires_grad for x in operands)
    return differentiate(call, operands) if recorded else call.run(operands)


def differentiate(call, operands):
    """The same, recorded."""
    return Recorded.apply(call, *operands)
