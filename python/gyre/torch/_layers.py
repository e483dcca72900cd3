"""Calls of gyre's modules on PyTorch's tensors: on its tape, or as its op `gyre::layer`.

A module is a function of its inputs, parameters and buffers. In training it writes into the buffers;
the op of PyTorch gives their new values after its results instead. Each call has a seed, from which it
draws and its reverse draws the same again.
"""

import threading
import uuid
import weakref

import torch

import gyre.nn
from gyre._gyre import _torch
from gyre.torch import _autograd, _library, _random, _shapes

# By key, for ops of PyTorch. No two processes have one key, since PyTorch keeps what it compiled in files.
_LAYERS = weakref.WeakValueDictionary()


class Layer:
    """A gyre.nn.Module and its key."""

    def __init__(self, module):
        self.module, self.lock = module, threading.RLock()
        self.parameters = [name for name, _ in module.named_parameters()]
        self.buffers = [name for name, _ in module.named_buffers()]
        self.key = uuid.uuid4().hex
        _LAYERS[self.key] = self

    def body(self, inputs, training, keep_buffers):
        """The module as a function of gyre's tensors: inputs, parameters, buffers. Unless the buffers are
        kept, the first call writes into them, those that repeat it into copies."""
        written = False

        def call(*tensors):
            nonlocal written
            weights = tensors[inputs:inputs + len(self.parameters)]
            buffers = tensors[inputs + len(self.parameters):]
            if training and (keep_buffers or written):
                buffers = [b.clone() for b in buffers]
            written = True
            state = dict(zip((*self.parameters, *self.buffers), (*weights, *buffers)))
            with self.lock:  # a module has one place for its tensors
                before = self.module.training
                self.module.train(training)
                try:
                    results = gyre.nn.functional_call(self.module, state, tensors[:inputs])
                finally:
                    self.module.train(before)
            results = results if isinstance(results, tuple) else (results,)
            return (*results, *buffers) if training and keep_buffers else results

        return call


def run(layer, inputs, parameters, buffers, training):
    """The module's results, one tensor or a tuple."""
    operands = (*inputs, *parameters, *buffers)
    if torch.compiler.is_compiling() or any(mode() for mode in _autograd.MODES):
        results = _dispatch(layer.key, list(inputs), parameters, buffers, training)
    else:
        call = _torch.Call.of(layer.body(len(inputs), training, False), _random.seed())
        transforms = any(t() for t in _autograd.TRANSFORMS)
        results = (_autograd.transform if transforms else _autograd.apply)(call, operands)
    return results[0] if len(results) == 1 else tuple(results)


def _dispatch(key, inputs, parameters, buffers, training):
    seed = _library.draw()
    before = [b.clone() for b in buffers] if training else buffers  # which the reverse starts from
    results = torch.ops.gyre.layer(inputs, parameters, before, key, training, seed)
    if training:
        for buffer, value in zip(buffers, results[len(results) - len(buffers):]):
            buffer.copy_(value)
        results = results[:len(results) - len(buffers)]
    return results


# ---- ops of PyTorch ----

def _call(key, inputs, training, seed):
    return _torch.Call.of(_LAYERS[key].body(inputs, training, True), seed)


def _layer(inputs, parameters, buffers, key, training, seed):
    call = _call(key, len(inputs), training, seed.item())
    return list(call.run((*inputs, *parameters, *buffers)))


def _layer_fake(inputs, parameters, buffers, key, training, seed):
    tensors = [*inputs, *parameters, *buffers]
    call = _call(key, len(inputs), training, 0)
    found = _shapes.sized(tensors, [], lambda value: call.infer(_shapes.metas(tensors, value)))
    return _shapes.empties(found, tensors)


def _layer_vjp(tensors, cotangents, inputs, key, training, seed, wanted):
    call = _call(key, inputs, training, seed.item())
    for marks in wanted:
        call = call.reverse([m == "1" for m in marks])
    found = call.run((*tensors, *cotangents))
    asked = (x for x, m in zip(tensors, wanted[-1]) if m == "1")
    return [torch.zeros(x.shape, dtype=x.dtype) if g is None else g for g, x in zip(found, asked)]


def _layer_vjp_fake(tensors, cotangents, inputs, key, training, seed, wanted):
    return [torch.empty(x.shape, dtype=x.dtype) for x, m in zip(tensors, wanted[-1]) if m == "1"]


class _Node(_library.Node):
    """How gyre::layer is recorded: its tensors are inputs, parameters and buffers."""

    def split(self, args):
        inputs, parameters, buffers, *rest = args
        return [*inputs, *parameters, *buffers], [len(inputs), len(inputs) + len(parameters), *rest]

    def joined(self, tensors, rest):
        inputs, parameters, *rest = rest
        return [list(tensors[:inputs]), list(tensors[inputs:parameters]), list(tensors[parameters:]), *rest]

    def given(self, results):
        return list(results)

    def save(self, ctx, tensors, rest, output):
        _, parameters, _, training, _ = ctx.rest = rest
        if training and len(tensors) > parameters:
            ctx.mark_non_differentiable(*output[parameters - len(tensors):])  # the buffers
        ctx.save_for_backward(*tensors, *_library.tensors_of(rest))

    def backward(self, ctx, cotangents, needs):
        saved = list(ctx.saved_tensors)
        inputs, _, key, training, seed = _library.with_tensors(ctx.rest, saved)
        marks = "".join("01"[n] for n in needs)
        found = iter(torch.ops.gyre.layer_vjp(saved, list(cotangents), inputs, key, training, seed, [marks]))
        return [next(found) if n else None for n in needs]


_library.define("layer", "(Tensor?[] inputs, Tensor[] parameters, Tensor[] buffers, str layer, bool training, "
                "Tensor seed) -> Tensor[]", _layer, _layer_fake)
_library.define("layer_vjp", "(Tensor?[] tensors, Tensor?[] cotangents, int inputs, str layer, bool training, "
                "Tensor seed, str[] wanted) -> Tensor[]", _layer_vjp, _layer_vjp_fake)
_library.record(_Node(None, torch.ops.gyre.layer.default))
