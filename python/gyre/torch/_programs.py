"""Values of programs (gyre.logic) as functions of PyTorch's tensors."""

from gyre._gyre import _torch
from gyre.torch import _autograd, _random


def value(program, name, inputs):
    """The value of `name`, recorded by autograd as one function of the inputs, a dict of PyTorch's tensors."""

    def body(*tensors):
        for given, tensor in zip(inputs, tensors):
            program.bind(given, tensor)
        result = program.tensor(name)
        for given, tensor in zip(inputs, tensors):  # the program keeps no record of this call
            program.bind(given, tensor.detach())
        return (result,)

    call = _torch.Call.of(body, _random.seed())
    transforms = any(t() for t in _autograd.TRANSFORMS)
    return (_autograd.transform if transforms else _autograd.apply)(call, tuple(inputs.values()))[0]
