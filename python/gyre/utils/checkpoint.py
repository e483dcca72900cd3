"""Gradient checkpointing by the names of torch.utils.checkpoint."""

import functools

import gyre

__all__ = ["checkpoint", "checkpoint_sequential"]


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, **kwargs):
    """function(*args, **kwargs), of which only the inputs are kept for backward, which runs it again with the same random
    numbers; see gyre.checkpoint."""
    if not preserve_rng_state:
        raise ValueError("checkpoint: expected preserve_rng_state=True; backward always draws the same random numbers")
    places = [place for place, x in enumerate(args) if isinstance(x, gyre.Tensor)]

    def of_tensors(*tensors):
        given = list(args)
        for place, tensor in zip(places, tensors):
            given[place] = tensor
        return function(*given, **kwargs)

    return gyre.checkpoint(of_tensors, *[args[place] for place in places])


def checkpoint_sequential(functions, segments, input, use_reentrant=None, preserve_rng_state=True):
    """Runs the modules of a Sequential, or functions of a list, in order, and keeps only the inputs of `segments` parts of
    them, except for the last part, of which all is kept."""
    functions = list(functions.children()) if isinstance(functions, gyre.nn.Module) else list(functions)
    if not 1 <= segments <= len(functions):
        raise ValueError(f"checkpoint_sequential: expected 1 to {len(functions)} segments, got {segments}")
    size = len(functions) // segments

    def run(part, x):
        return functools.reduce(lambda value, function: function(value), part, x)

    for begin in range(0, size * (segments - 1), size):
        input = checkpoint(run, functions[begin:begin + size], input, preserve_rng_state=preserve_rng_state)
    return run(functions[size * (segments - 1):], input)
