"""Calls of gyre's modules on PyTorch's tensors: recorded by autograd, or as the PyTorch op `gyre::layer`.

A module is a function of its inputs, parameters and buffers. In training it writes into the buffers; the
PyTorch op returns their new values after its results instead. Random numbers of the call, which backward draws
again, start from a seed; `state` is that seed and the modes of the submodules, read by `gyre::layer_state` at
the call.
"""

import threading
import uuid
import weakref

import torch

import gyre.nn
from gyre._gyre import _torch
from gyre.torch import _autograd, _library, _random, _shapes

# By key, for PyTorch ops. Keys are unique across processes, since PyTorch caches compiled code in
# files.
_LAYERS = weakref.WeakValueDictionary()


class Layer:
    """A gyre.nn.Module and its key."""

    def __init__(self, module):
        self.module, self.lock = module, threading.RLock()
        self.parameters = [name for name, tensor in module.named_parameters() if not tensor.is_packed]
        self.buffers = [name for name, _ in module.named_buffers()]
        self.modules = list(module.modules())
        self.key = uuid.uuid4().hex
        _LAYERS[self.key] = self

    def __reduce__(self):
        return Layer, (self.module,)

    def modes(self):
        """The training mode of each submodule."""
        return [m.training for m in self.modules]

    def set_modes(self, modes):
        if modes != self.modes():
            for module, mode in zip(self.modules, modes):  # outer modules first, as they set their submodules
                module.training = mode

    def body(self, inputs, modes, writes=False, gives_buffers=False):
        """The module as a function of gyre tensors: inputs, parameters, buffers. If it writes into the buffers,
        runs after the first one use copies."""
        written = not writes

        def call(*tensors):
            nonlocal written
            weights = tensors[inputs:inputs + len(self.parameters)]
            buffers = tensors[inputs + len(self.parameters):]
            if written and True in modes:
                buffers = [b.clone() for b in buffers]
            written = True
            state = dict(zip((*self.parameters, *self.buffers), (*weights, *buffers)))
            with self.lock:  # one call at a time replaces a module's tensors
                before = self.modes()
                self.set_modes(modes)
                try:
                    results = gyre.nn.functional_call(self.module, state, tensors[:inputs])
                finally:
                    self.set_modes(before)
            results = results if isinstance(results, tuple) else (results,)
            return (*results, *buffers) if gives_buffers else results

        return call


def run(layer, inputs, parameters, buffers, training):
    """The module's results, one tensor or a tuple. If `training`, a PyTorch op updates the buffers."""
    operands = (*inputs, *parameters, *buffers)
    if torch.compiler.is_compiling() or any(mode() for mode in _autograd.MODES):
        results = _dispatch(layer.key, list(inputs), parameters, buffers, training)
    else:
        call = _torch.Call.of(layer.body(len(inputs), layer.modes(), writes=True), _random.seed())
        transforms = any(t() for t in _autograd.TRANSFORMS)
        results = (_autograd.transform if transforms else _autograd.apply)(call, operands)
    return results[0] if len(results) == 1 else tuple(results)


def _dispatch(key, inputs, parameters, buffers, training):
    state = torch.ops.gyre.layer_state(_library.draw(), key)
    before = [b.clone() for b in buffers] if training else buffers  # backward starts from these
    results = torch.ops.gyre.layer(inputs, parameters, before, key, training, state)
    if training:
        for buffer, value in zip(buffers, results[len(results) - len(buffers):]):
            buffer.copy_(value)
        results = results[:len(results) - len(buffers)]
    return results


# ---- PyTorch ops ----

def _call(key, inputs, training, state):
    seed, *modes = state
    return _torch.Call.of(_LAYERS[key].body(inputs, list(map(bool, modes)), gives_buffers=training), seed)


def _layer_state(seed, key):
    return torch.tensor([seed.item(), *_LAYERS[key].modes()])


def _layer_state_fake(seed, key):
    return seed.new_empty(1 + len(_LAYERS[key].modules))


def _layer(inputs, parameters, buffers, key, training, state):
    call = _call(key, len(inputs), training, state.tolist())
    return list(call.run((*inputs, *parameters, *buffers)))


def _layer_fake(inputs, parameters, buffers, key, training, state):
    tensors = [*inputs, *parameters, *buffers]
    call = _call(key, len(inputs), training, [0, *[training] * (len(state) - 1)])
    found = _shapes.sized(tensors, [], lambda value: call.infer(_shapes.metas(tensors, value)))
    return _shapes.empties(found, tensors)


def _layer_vjp(tensors, cotangents, inputs, key, training, state, wanted):
    call = _call(key, inputs, training, state.tolist())
    for marks in wanted:
        call = call.reverse([m == "1" for m in marks])
    found = call.run((*tensors, *cotangents))
    asked = (x for x, m in zip(tensors, wanted[-1]) if m == "1")
    return [torch.zeros(x.shape, dtype=x.dtype) if g is None else g for g, x in zip(found, asked)]


def _layer_vjp_fake(tensors, cotangents, inputs, key, training, state, wanted):
    return [torch.empty(x.shape, dtype=x.dtype) for x, m in zip(tensors, wanted[-1]) if m == "1"]


class _Node(_library.Node):
    """Autograd function of gyre::layer; its tensors are inputs, parameters and buffers."""

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
        inputs, _, key, training, state = _library.with_tensors(ctx.rest, saved)
        marks = "".join("01"[n] for n in needs)
        found = iter(torch.ops.gyre.layer_vjp(saved, list(cotangents), inputs, key, training, state, [marks]))
        return [next(found) if n else None for n in needs]


_library.define("layer_state", "(Tensor seed, str layer) -> Tensor", _layer_state, _layer_state_fake)
_library.define("layer", "(Tensor?[] inputs, Tensor[] parameters, Tensor[] buffers, str layer, bool training, "
                "Tensor state) -> Tensor[]", _layer, _layer_fake)
_library.define("layer_vjp", "(Tensor?[] tensors, Tensor?[] cotangents, int inputs, str layer, bool training, "
                "Tensor state, str[] wanted) -> Tensor[]", _layer_vjp, _layer_vjp_fake)
_library.record(_Node(None, torch.ops.gyre.layer.default))
