"""Calls of gyre's modules on PyTorch's tensors: on its tape, or as its op `gyre::layer`.

A module is a function of its inputs, parameters and buffers. In training it writes into the buffers;
the op of PyTorch gives their new values after its results instead. What it draws begins at `state`, a
generator's seed and offset, so that the reverse draws the same again; `gyre::layer_draw` gives it and
moves the generator past all that a call draws.
"""

import threading
import weakref

import torch

import gyre.nn
from gyre._gyre import _torch
from gyre.torch import _autograd, _library, _shapes

_LAYERS = weakref.WeakValueDictionary()  # by number, for ops of PyTorch


class Layer:
    """A gyre.nn.Module and its number."""

    def __init__(self, module):
        self.module, self.lock = module, threading.Lock()
        self.parameters = [name for name, _ in module.named_parameters()]
        self.buffers = [name for name, _ in module.named_buffers()]
        self.number = len(_LAYERS) + 1
        while self.number in _LAYERS:
            self.number += 1
        _LAYERS[self.number] = self

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
        results = _dispatch(layer.number, list(inputs), parameters, buffers, training)
    else:
        call = _torch.Call.of(layer.body(len(inputs), training, False), None)
        transforms = any(t() for t in _autograd.TRANSFORMS)
        results = (_autograd.transform if transforms else _autograd.apply)(call, operands)
    return results[0] if len(results) == 1 else tuple(results)


def _dispatch(number, inputs, parameters, buffers, training):
    state = torch.ops.gyre.layer_draw(_library.CLOCK, inputs, parameters, buffers, number) if training else None
    before = [b.clone() for b in buffers] if training else buffers  # which the reverse starts from
    results = torch.ops.gyre.layer(inputs, parameters, before, number, training, state)
    if training:
        for buffer, value in zip(buffers, results[len(results) - len(buffers):]):
            buffer.copy_(value)
        results = results[:len(results) - len(buffers)]
    return results


# ---- ops of PyTorch ----

def _call(number, inputs, training, state):
    began = None if state is None else tuple(state.tolist())
    return _torch.Call.of(_LAYERS[number].body(inputs, training, True), began)


def _dry(number, inputs, parameters, buffers, training):
    """[(shape, dtype)] of the results, and numbers drawn as by a run."""
    tensors = [*inputs, *parameters, *buffers]

    def ask(value):
        return _call(number, len(inputs), training, None).infer(_shapes.metas(tensors, value))

    return ask


def _layer(inputs, parameters, buffers, number, training, state):
    call = _call(number, len(inputs), training, state)
    return list(call.run((*inputs, *parameters, *buffers)))


def _layer_fake(inputs, parameters, buffers, number, training, state):
    before = _torch.generator_state()
    tensors = [*inputs, *parameters, *buffers]
    found = _shapes.sized(tensors, [], _dry(number, inputs, parameters, buffers, training))
    _torch.set_generator_state(*before)
    return _shapes.empties(found, tensors)


def _layer_draw(clock, inputs, parameters, buffers, number):
    state = _torch.generator_state()
    _dry(number, inputs, parameters, buffers, True)(int)
    clock.add_(1)
    return torch.tensor(state, dtype=torch.int64)


def _layer_draw_fake(clock, inputs, parameters, buffers, number):
    return torch.empty(2, dtype=torch.int64)


def _layer_vjp(tensors, cotangents, inputs, number, training, state, wanted):
    call = _call(number, inputs, training, state)
    for marks in wanted:
        call = call.reverse([m == "1" for m in marks])
    found = call.run((*tensors, *cotangents))
    asked = (x for x, m in zip(tensors, wanted[-1]) if m == "1")
    return [torch.zeros(x.shape, dtype=x.dtype) if g is None else g for g, x in zip(found, asked)]


def _layer_vjp_fake(tensors, cotangents, inputs, number, training, state, wanted):
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
        inputs, _, number, training, state = _library.with_tensors(ctx.rest, saved)
        marks = "".join("01"[n] for n in needs)
        found = iter(torch.ops.gyre.layer_vjp(saved, list(cotangents), inputs, number, training, state, [marks]))
        return [next(found) if n else None for n in needs]


_TENSORS = "Tensor?[] inputs, Tensor[] parameters, Tensor[] buffers, int layer"
_library.define("layer", f"({_TENSORS}, bool training, Tensor? state) -> Tensor[]", _layer, _layer_fake)
_library.define("layer_draw", f"(Tensor(a!) clock, {_TENSORS}) -> Tensor", _layer_draw, _layer_draw_fake)
_library.define("layer_vjp", "(Tensor?[] tensors, Tensor?[] cotangents, int inputs, int layer, bool training, "
                "Tensor? state, str[] wanted) -> Tensor[]", _layer_vjp, _layer_vjp_fake)
_library.record(_Node(None, torch.ops.gyre.layer.default))
