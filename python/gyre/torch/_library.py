"""gyre's ops as PyTorch ops `torch.ops.gyre.NAME`, for its dispatcher, fake tensors, torch.compile and
torch.func.

An op takes its tensors, all its attributes, the seed of a random op, and `literals`, whose bit i says that
tensor i is a Python number. Its results are those of gyre's op, then those saved for backward. `NAME_vjp` maps
the inputs, the results that the backward rule reads and the cotangents to the cotangents of the inputs marked
by `wanted`. With n masks it is the n-th derivative (python/torch/derivative.h), and its inputs are the inputs
and cotangents of derivative n - 1. `gyre::seed` returns such a seed.
"""

import torch
from torch._functorch import compile_utils
from torch._functorch.autograd_function import enable_single_level_autograd_function
from torch.autograd.function import _SingleLevelFunction

from gyre._gyre import Tensor, _torch
from gyre.torch import _random, _shapes
from gyre.torch._signature import Signature, dense

_LIBRARY = torch.library.Library("gyre", "DEF")
_TYPES = {"bool": "bool", "int": "SymInt", "float": "float", "str": "str", "dtype": "str", "shape": "SymInt[]",
          "choice": "str"}
_REGISTERED = {}


def define(name, schema, kernel, fake, *tags):
    """Defines a PyTorch op `gyre::name`."""
    _LIBRARY.define(name + schema, tags=(torch.Tag.needs_exact_strides, *tags))
    _LIBRARY.impl(name, _untraced(kernel), "CompositeExplicitAutograd")
    torch.library.register_fake(f"gyre::{name}", fake, lib=_LIBRARY)
    return getattr(torch.ops.gyre, name).default


def _seed(device):
    return torch.tensor(_random.seed(), device=device)


def _seed_fake(device):
    return torch.empty((), dtype=torch.int64, device=device)


def draw():
    """A seed as a tensor."""
    return torch.ops.gyre.seed(device="cpu")


def record(node):
    """Registers autograd for an op, and a slice-by-slice vmap rule."""
    _LIBRARY.impl(node.op, _untraced(node.run), "Autograd", with_keyset=True)
    torch.library.register_vmap(node.op, _by_slices(node.op), lib=_LIBRARY)


def _by_slices(op):
    def slice_of(x, axis, n):
        if isinstance(axis, (list, tuple)):
            return [slice_of(*pair, n) for pair in zip(x, axis)]
        return x if axis is None else x.select(axis, n)

    def rule(info, axes, *args):
        slices = [op(*slice_of(args, axes, n)) for n in range(info.batch_size)]
        if isinstance(slices[0], torch.Tensor):
            return torch.stack(slices), 0
        whole = type(slices[0])(torch.stack(results) for results in zip(*slices))
        return whole, type(whole)(0 for _ in whole)

    return rule


class Registered(Signature):
    """An op and its two PyTorch ops."""

    def __init__(self, op):
        super().__init__(op)
        self.op = op
        self.tensors = 1 if self.variadic else len(self.arguments)  # number of tensors in the schema
        self.forward = define(self.name, f"({self._arguments()}) -> {self._returns()}", self.run, self.fake)
        self.vjp = None
        if self.differentiable:
            lists = "Tensor?[] inputs, Tensor?[] results, Tensor?[] cotangents, str[] wanted"
            self.vjp = define(self.name + "_vjp", f"({lists}, {self._attributes()}) -> Tensor[]", self.run_vjp,
                              self.fake_vjp)
            record(Node(self, self.forward))
            record(_Reverse(self, self.vjp))

    # ---- schemas ----

    def _attributes(self):
        state = ["Tensor? drawn"] if self.random else []
        return ", ".join([*(f"{_TYPES[kind]} {name}" for name, kind in self.fields), *state, "int literals"])

    def _arguments(self):
        if self.variadic:
            tensors = ["Tensor?[] tensors"]
        else:
            tensors = [f"Tensor{'?' * optional} {name}" for name, optional in zip(self.arguments, self.optional)]
        return ", ".join([*tensors, self._attributes()])

    def _returns(self):
        return f"({', '.join(['Tensor'] * self.results)})" if self.visible else "Tensor[]"

    # ---- arguments of the schema ----

    def split(self, args):
        """The inputs, and the remaining arguments."""
        inputs = args[0] if self.variadic else args[:self.tensors]
        return list(inputs), args[self.tensors:]

    def call(self, rest, inputs=()):
        """The call with these attributes, and its inputs with numbers in place of literals."""
        values, literals = list(rest[:len(self.fields)]), rest[-1]
        if self.random and rest[-2] is not None:
            values[self.place("seed")], values[self.place("offset")] = rest[-2].item(), 0
        inputs = (x.item() if literals >> i & 1 else x for i, x in enumerate(inputs))
        return _torch.Call(self.op, tuple(values)), tuple(inputs)

    def given(self, results):
        """The results in the form of the schema."""
        if not self.visible:
            return list(results)
        return results[0] if self.results == 1 else tuple(results)

    # ---- kernels and fake kernels ----

    def run(self, *args):
        inputs, rest = self.split(args)
        call, inputs = self.call(rest, inputs)
        return self.given(call.run_with_kept(inputs))

    def fake(self, *args):
        inputs, rest = self.split(args)
        for place, x in enumerate(inputs):
            if x is not None and x.device.type not in ("cpu", "meta"):
                dense(x, self.name, self.arguments[min(place, len(self.arguments) - 1)])  # raises the error
        return self.given(_shapes.infer(self, inputs, rest))

    def run_vjp(self, inputs, results, cotangents, wanted, *rest):
        call, numbers = self.call(rest, inputs)
        found = call.reverse_of_op(numbers, tuple(results), tuple(cotangents), wanted)
        asked = (x for x, w in zip(inputs, wanted[-1]) if w == "1")
        return [torch.zeros(x.shape, dtype=x.dtype) if g is None else g for g, x in zip(found, asked)]

    def fake_vjp(self, inputs, results, cotangents, wanted, *rest):
        return [torch.empty(x.shape, dtype=x.dtype, device=x.device) for x, w in zip(inputs, wanted[-1]) if w == "1"]

    def reverse(self, inputs, results, cotangents, wanted, needs, rest):
        """The cotangents of the inputs, None if not needed."""
        mask = "".join("01"[n] for n in needs)
        found = iter(self.vjp(inputs, results, list(cotangents), [*wanted, mask], *rest))
        return [next(found) if n else None for n in needs]


class _Recorded(_SingleLevelFunction):
    """Calls one of the PyTorch ops below autograd and records it as one node; inside torch.func at the current
    level."""

    @staticmethod
    def forward(ctx, node, keyset, rest, *tensors):
        output = node.below(keyset, tensors, rest)
        output = tuple(output) if isinstance(output, (list, tuple)) else (output,)
        ctx.node = node
        ctx.set_materialize_grads(False)
        node.save(ctx, tensors, rest, output)
        return output

    @staticmethod
    def backward(ctx, *cotangents):
        return None, None, None, *ctx.node.backward(ctx, cotangents, ctx.needs_input_grad[3:])


class Node:
    """Autograd function of an op."""

    def __init__(self, registered, op):
        self.registered, self.op = registered, op

    def run(self, keyset, *args):
        tensors, rest = self.split(args)
        if torch.is_grad_enabled() and any(x is not None and x.requires_grad for x in tensors):
            with enable_single_level_autograd_function():
                return self.given(_Recorded.apply(self, keyset, rest, *tensors))
        return self.below(keyset, tensors, rest)

    def below(self, keyset, tensors, rest):
        with torch._C._AutoDispatchBelowAutograd():
            return self.op.redispatch(keyset & torch._C._after_autograd_keyset, *self.joined(tensors, rest))

    def split(self, args):
        return self.registered.split(args)

    def joined(self, tensors, rest):
        return ([list(tensors)] if self.registered.variadic else list(tensors)) + list(rest)

    def given(self, results):
        return self.registered.given(results)

    def save(self, ctx, tensors, rest, output):
        of = self.registered
        kept = [x if x is None or _reads(of.reads_inputs, i) else x.new_zeros(()).expand(x.shape)
                for i, x in enumerate(tensors)]
        ctx.save_for_backward(*kept, *(y if _reads(of.reads_results, i) else None for i, y in enumerate(output)),
                              *tensors_of(rest))
        ctx.rest = rest

    def backward(self, ctx, cotangents, needs):
        saved = list(ctx.saved_tensors)
        inputs, results = saved[:len(needs)], saved[len(needs):]
        rest = with_tensors(ctx.rest, results)
        return self.registered.reverse(inputs, results, cotangents, [], needs, rest)


class _Reverse(Node):
    """Autograd function of NAME_vjp. Its tensors are inputs, results and cotangents; when it is differentiated,
    the results are recomputed from the inputs."""

    def split(self, args):
        inputs, results, cotangents, *rest = args
        return [*inputs, *results, *cotangents], [len(inputs), len(inputs) + len(results), *rest]

    def joined(self, tensors, rest):
        inputs, results, *rest = rest
        return [tensors[:inputs], tensors[inputs:results], tensors[results:], *rest]

    def given(self, results):
        return list(results)

    def save(self, ctx, tensors, rest, output):
        ctx.save_for_backward(*tensors, *tensors_of(rest))
        ctx.rest = rest

    def backward(self, ctx, cotangents, needs):
        saved = list(ctx.saved_tensors)
        inputs, results, wanted, *rest = with_tensors(ctx.rest, saved)
        found = self.registered.reverse(saved[:inputs] + saved[results:], [], cotangents, wanted,
                                        needs[:inputs] + needs[results:], rest)
        return *found[:inputs], *[None] * (results - inputs), *found[inputs:]


def _untraced(method):
    """A function that torch.compile does not trace."""
    return torch._disable_dynamo(lambda *args, **kwargs: method(*args, **kwargs))


def _reads(bits, place):
    return bool(bits >> min(place, 63) & 1)


def tensors_of(rest):
    """The tensors among the arguments."""
    return [x for x in rest if isinstance(x, torch.Tensor)]


def with_tensors(rest, saved):
    """`rest` with its tensors replaced by the saved ones, which are removed from the end of `saved`."""
    return [saved.pop() if isinstance(x, torch.Tensor) else x for x in rest]


def register(op):
    """Registers an op of gyre with PyTorch."""
    if op.name not in _REGISTERED:
        _REGISTERED[op.name] = Registered(op)
    return _REGISTERED[op.name]


def dispatch(op, operands, values, draws):
    """Calls an op through PyTorch's dispatcher; returns the results as gyre does."""
    for x in operands:
        if isinstance(x, torch.Tensor) and x.is_nested:
            dense(x, op.name, "an operand")
    return dispatch_bound(_REGISTERED[op.name], operands, values, draws)


def dispatch_bound(registered, operands, values, draws):
    literals, tensors = 0, []
    for place, x in enumerate(operands):
        if isinstance(x, Tensor):
            registered.refuse("takes packed weights only outside of torch.compile and of PyTorch's modes")
        if x is not None and not isinstance(x, torch.Tensor):
            whole = isinstance(x, (int, torch.SymInt))
            x = torch.full((), x, dtype=torch.int64 if whole else torch.float64)
            literals |= 1 << place
        tensors.append(x)
    while not registered.variadic and len(tensors) < registered.tensors:
        tensors.append(None)
    args = [tensors] if registered.variadic else tensors
    if registered.random:
        values = [*values, draw() if draws else None]
    results = registered.forward(*args, *values, literals)
    if not isinstance(results, (list, tuple)):
        return results
    if registered.visible:
        results = results[:registered.visible]
    return results[0] if len(results) == 1 else tuple(results)


# nondeterministic: PyTorch restores its generator in recomputation and does not merge two calls.
define("seed", "(*, Device device) -> Tensor", _seed, _seed_fake, torch.Tag.nondeterministic_seeded)
compile_utils.rand_ops.append(torch.ops.gyre.seed)
