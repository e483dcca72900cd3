"""gyre's ops as ops of PyTorch, `torch.ops.gyre.NAME`: what its dispatcher, its fake tensors,
torch.compile and torch.func see.

An op takes its tensors, all its attributes, a random op the state that it draws from, and `literals`,
whose bit i says that tensor i is a Python number. Its results are those of gyre's op and after them
those that it keeps for backward. `NAME_vjp` takes the inputs, the results that the reverse rule reads
and the cotangents to the cotangents of the inputs that `wanted` marks; with more than one mask it is a
derivative of that (gyre's python/derivative.h), its inputs those of the step before and its
cotangents. `NAME_draw` gives a random op's state and moves the generator on.
"""

import torch

from gyre import _gyre
from gyre.torch import _shapes
from gyre.torch._signature import Signature, dense

_LIBRARY = torch.library.Library("gyre", "DEF")
_TYPES = {"bool": "bool", "int": "SymInt", "float": "float", "str": "str", "dtype": "str", "shape": "SymInt[]",
          "choice": "str"}
_REGISTERED = {}

# Written by every draw, so that PyTorch keeps their number and order.
_CLOCK = torch.zeros((), dtype=torch.int64)


class Registered(Signature):
    """An op with its three ops of PyTorch."""

    def __init__(self, op):
        super().__init__(op)
        self.op = op
        self.tensors = 1 if self.variadic else len(self.arguments)  # arguments of the schema
        self.forward = self._define(self.name, self._arguments(), self._returns(), self.run, self.fake)
        self.vjp = self.draw = None
        if self.random:
            self.draw = self._define(self.name + "_draw", ["Tensor(a!) clock", *self._arguments()], "Tensor",
                                     self.run_draw, self.fake_draw)
        if self.differentiable:
            lists = [f"Tensor?[] {name}" for name in ("inputs", "results", "cotangents")]
            self.vjp = self._define(self.name + "_vjp", [*lists, "str[] wanted", *self._attributes()], "Tensor[]",
                                    self.run_vjp, self.fake_vjp)
            torch.library.register_autograd(self.forward, self.backward, setup_context=self.save, lib=_LIBRARY)
            torch.library.register_autograd(self.vjp, self.backward_vjp, setup_context=self.save_vjp, lib=_LIBRARY)

    # ---- schemas ----

    def _attributes(self):
        state = ["Tensor? state"] if self.random else []
        return [*(f"{_TYPES[kind]} {name}" for name, kind in self.fields), *state, "int literals"]

    def _arguments(self):
        if self.variadic:
            tensors = ["Tensor?[] tensors"]
        else:
            tensors = [f"Tensor{'?' * optional} {name}" for name, optional in zip(self.arguments, self.optional)]
        return [*tensors, *self._attributes()]

    def _returns(self):
        return f"({', '.join(['Tensor'] * self.results)})" if self.visible else "Tensor[]"

    def _define(self, name, arguments, returns, kernel, fake):
        tags = (torch.Tag.needs_exact_strides,)
        _LIBRARY.define(f"{name}({', '.join(arguments)}) -> {returns}", tags=tags)
        _LIBRARY.impl(name, kernel, "CompositeExplicitAutograd")
        torch.library.register_fake(f"gyre::{name}", fake, lib=_LIBRARY)
        return getattr(torch.ops.gyre, name).default

    # ---- what the schema's arguments are ----

    def split(self, args):
        """The inputs, and the arguments after them."""
        inputs = args[0] if self.variadic else args[:self.tensors]
        return list(inputs), args[self.tensors:]

    def call(self, rest, inputs=()):
        """The call with those attributes, and its inputs with numbers for what are literals."""
        values, literals = list(rest[:len(self.fields)]), rest[-1]
        if self.random and rest[-2] is not None:
            values[self.place("seed")], values[self.place("offset")] = rest[-2].tolist()
        inputs = (x.item() if literals >> i & 1 else x for i, x in enumerate(inputs))
        return _gyre.TorchCall(self.op, tuple(values)), tuple(inputs)

    def given(self, results):
        """Results as the schema has them."""
        if not self.visible:
            return list(results)
        return results[0] if self.results == 1 else tuple(results)

    # ---- kernels and their shapes ----

    def run(self, *args):
        inputs, rest = self.split(args)
        call, inputs = self.call(rest, inputs)
        return self.given(call.run_with_kept(inputs))

    def fake(self, *args):
        inputs, rest = self.split(args)
        return self.given(_shapes.infer(self, inputs, rest))

    def run_draw(self, clock, *args):
        inputs, rest = self.split(args)
        call, inputs = self.call(rest, inputs)
        clock.add_(1)
        return torch.tensor(call.draw(inputs), dtype=torch.int64)

    def fake_draw(self, clock, *args):
        return torch.empty(2, dtype=torch.int64)

    def run_vjp(self, inputs, results, cotangents, wanted, *rest):
        call, numbers = self.call(rest, inputs)
        found = call.reverse_of_op(numbers, tuple(results), tuple(cotangents), wanted)
        asked = (x for x, w in zip(inputs, wanted[-1]) if w == "1")
        return [torch.zeros(x.shape, dtype=x.dtype) if g is None else g for g, x in zip(found, asked)]

    def fake_vjp(self, inputs, results, cotangents, wanted, *rest):
        return [torch.empty(x.shape, dtype=x.dtype, device=x.device) for x, w in zip(inputs, wanted[-1]) if w == "1"]

    # ---- gradients ----

    def save(self, ctx, inputs, output):
        tensors, ctx.rest = self.split(inputs)
        kept = [x if x is None or _reads(self.reads_inputs, i) else x.new_zeros(()).expand(x.shape)
                for i, x in enumerate(tensors)]
        results = list(output) if isinstance(output, (list, tuple)) else [output]
        read = [y if _reads(self.reads_results, i) else None for i, y in enumerate(results)]
        ctx.inputs = len(kept)
        ctx.save_for_backward(*kept, *read, *_tensors(ctx.rest))
        ctx.rest = _without_tensors(ctx.rest)
        ctx.set_materialize_grads(False)

    def backward(self, ctx, *cotangents):
        saved = list(ctx.saved_tensors)
        inputs, results = saved[:ctx.inputs], saved[ctx.inputs:]
        rest = _with_tensors(ctx.rest, results)
        needs = ctx.needs_input_grad[0] if self.variadic else ctx.needs_input_grad[:self.tensors]
        cotangents = cotangents if self.visible else cotangents[0]
        found = self._reverse(inputs, results, cotangents, [], needs, rest)
        others = [None] * len(ctx.rest)
        return (found, *others) if self.variadic else (*found, *others)

    def save_vjp(self, ctx, inputs, output):
        of, results, cotangents, ctx.wanted, *rest = inputs
        ctx.counts = len(of), len(results)
        ctx.save_for_backward(*of, *cotangents, *_tensors(rest))
        ctx.rest = _without_tensors(rest)
        ctx.set_materialize_grads(False)

    def backward_vjp(self, ctx, cotangents):
        saved = list(ctx.saved_tensors)
        rest = _with_tensors(ctx.rest, saved)
        inputs, (count, results) = saved[:len(saved)], ctx.counts
        needs = [*ctx.needs_input_grad[0], *ctx.needs_input_grad[2]]
        found = self._reverse(inputs, [], cotangents, ctx.wanted, needs, rest)
        return (found[:count], [None] * results, found[count:], *[None] * (1 + len(ctx.rest)))

    def _reverse(self, inputs, results, cotangents, wanted, needs, rest):
        mask = "".join("01"[n] for n in needs)
        found = iter(self.vjp(inputs, results, list(cotangents), [*wanted, mask], *rest))
        return [next(found) if n else None for n in needs]


def _reads(bits, place):
    return bool(bits >> min(place, 63) & 1)


def _tensors(rest):
    return [x for x in rest if isinstance(x, torch.Tensor)]


def _without_tensors(rest):
    return [torch.Tensor if isinstance(x, torch.Tensor) else x for x in rest]


def _with_tensors(rest, saved):
    """`rest` with the tensors that were taken out of it, which are the last of `saved`."""
    return [saved.pop() if x is torch.Tensor else x for x in rest]


def register(op):
    """Makes an op of gyre's table one of PyTorch's."""
    if op.name not in _REGISTERED:
        _REGISTERED[op.name] = Registered(op)
    return _REGISTERED[op.name]


def dispatch(op, operands, values, draws):
    """A call through PyTorch's dispatcher; the results as gyre gives them."""
    for x in operands:
        if isinstance(x, torch.Tensor) and x.is_nested:
            dense(x, op.name, "an operand")
    return dispatch_bound(_REGISTERED[op.name], operands, values, draws)


def dispatch_bound(registered, operands, values, draws):
    literals, tensors = 0, []
    for place, x in enumerate(operands):
        if x is not None and not isinstance(x, torch.Tensor):
            whole = isinstance(x, (int, torch.SymInt))
            x = torch.full((), x, dtype=torch.int64 if whole else torch.float64)
            literals |= 1 << place
        tensors.append(x)
    while not registered.variadic and len(tensors) < registered.tensors:
        tensors.append(None)
    args = [tensors] if registered.variadic else tensors
    if registered.random:
        state = registered.draw(_CLOCK, *args, *values, None, literals) if draws else None
        values = [*values, state]
    results = registered.forward(*args, *values, literals)
    if not isinstance(results, (list, tuple)):
        return results
    if registered.visible:
        results = results[:registered.visible]
    return results[0] if len(results) == 1 else tuple(results)
