"""Binds the arguments of an op call to its tensors and attributes, while PyTorch traces."""

import torch

import gyre
from gyre._functions.dtype_names import BY_NAME
from gyre._gyre import _torch

DTYPES = {d.name: getattr(torch, long) for long, d in BY_NAME.items()}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Signature:
    """The signature of an op in plain Python, which PyTorch can trace."""

    def __init__(self, op):
        self.name = op.name
        self.arguments = tuple(a["name"] for a in op.arguments)
        self.optional = tuple(a["optional"] for a in op.arguments)
        self.variadic = any(a["variadic"] for a in op.arguments)
        self.fields = tuple((a["name"], a["type"]) for a in op.attributes)
        self.called = {name: place for place, a in reversed(list(enumerate(op.attributes)))
                       for name in (*a["also"], a["name"])}
        self.takes_all_numbers = tuple(a["takes_all_numbers"] for a in op.attributes)
        self.defaults = tuple(a["default"] for a in op.attributes)
        self.visible, self.results = op.outputs, op.outputs + op.kept
        self.differentiable, self.random = op.differentiable, op.random
        reads_inputs, self.reads_results = op.reads
        # if the rule reads results, a second derivative needs all inputs to recompute them
        self.reads_inputs = -1 if self.reads_results else reads_inputs

    def place(self, field):
        """The index of the attribute with that name, or None."""
        return self.called.get(field)

    def refuse(self, why):
        known = ", ".join([*self.arguments, *(name for name, _ in self.fields)])
        raise TypeError(f"{self.name}({known}) {why}")


def bind(signature, args, kwargs):
    """Operands, values of all attributes, and whether random numbers are drawn: the same as Binding in
    binding.cpp, for calls that PyTorch traces."""
    operands, given, rest = [], {}, list(args)
    if signature.variadic:
        rest = _leading(signature, rest, operands, given)
    else:
        operands, rest = rest[:len(signature.arguments)], rest[len(signature.arguments):]
    while rest:
        rest = _attribute(signature, rest, given)
    for name, value in kwargs.items():
        _keyword(signature, name, value, operands, given)
    for place, x in enumerate(operands):
        if not (x is None or isinstance(x, (torch.Tensor, int, float, torch.SymInt, torch.SymFloat))):
            name = signature.arguments[min(place, len(signature.arguments) - 1)]
            raise TypeError(f"{signature.name}: {name}: expected a torch.Tensor or a number, got {type(x).__name__}")
    values = [_value(kind, given[place]) if place in given else signature.defaults[place]
              for place, (_, kind) in enumerate(signature.fields)]
    draws = signature.random and signature.place("seed") not in given
    return operands, values, draws


def _leading(signature, rest, operands, given):
    while rest and isinstance(rest[0], str):
        rest = _attribute(signature, rest, given)
    if rest and isinstance(rest[0], (list, tuple)):
        operands.extend(rest[0])
        return rest[1:]
    while rest and (rest[0] is None or isinstance(rest[0], torch.Tensor)):
        operands.append(rest[0])
        rest = rest[1:]
    return rest


def _attribute(signature, rest, given):
    place = 0
    while place in given:
        place += 1
    if place >= len(signature.fields):
        signature.refuse("got too many arguments")
    numbers = 0
    while numbers < len(rest) and isinstance(rest[numbers], (int, torch.SymInt)):
        numbers += 1
    if signature.takes_all_numbers[place] and numbers > 1:
        given[place] = rest[:numbers]
        return rest[numbers:]
    given[place] = rest[0]
    return rest[1:]


def _keyword(signature, name, value, operands, given):
    if name in signature.arguments:
        place = signature.arguments.index(name)
        while len(operands) <= place:
            operands.append(None)
        if operands[place] is not None:
            signature.refuse(f"got {name} twice")
        operands[place] = value
        return
    place = signature.place(name)
    if place is None:
        signature.refuse(f"got an unexpected keyword argument {name!r}")
    if place in given:
        signature.refuse(f"got {name} twice")
    given[place] = value


def _value(kind, value):
    if kind == "dtype":
        return NAMES[value] if isinstance(value, torch.dtype) else str(value)
    if kind == "shape":
        if value is None:
            return []
        return [value] if isinstance(value, (int, torch.SymInt)) else list(value)
    return value


def taken(x):
    """Whether gyre can read the memory of a torch.Tensor directly."""
    return x.device.type == "cpu" and x.layout == torch.strided and x.dtype in NAMES and not x.is_nested


def dense(x, op, argument):
    """A copy that gyre can read; raises an error if there is none."""
    def refuse(code, actual, expected, hint):
        _torch.refuse(code, op or "gyre.torch", f"{argument} is {actual}; {hint}", expected, actual)

    if x.is_nested:
        refuse("unsupported", "a nested tensor", "torch.strided", "pad it first (to_padded_tensor())")
    if x.layout != torch.strided:
        refuse("unsupported", str(x.layout), "torch.strided", "make it dense first (to_dense())")
    if x.device.type != "cpu":
        refuse("device", f"on the device {x.device}", "cpu", "move it to the CPU first (cpu())")
    if x.is_quantized:
        refuse("dtype", str(x.dtype), "a dtype of gyre", "dequantize it first (dequantize())")
    if x.dtype not in NAMES:
        refuse("dtype", str(x.dtype), "a dtype of gyre",
               "gyre has " + ", ".join(str(d).replace("torch.", "") for d in NAMES))
    return x.detach().resolve_neg().clone()
