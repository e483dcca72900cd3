"""gyre's layers as modules of PyTorch: `gyre.torch.nn.NAME(...)` for every layer of gyre's table, and
`gyre.torch.nn.Module(module)` around any gyre.nn.Module.

    model = torch.nn.Sequential(torch.nn.Linear(784, 128), gyre.torch.nn.LayerNorm(128))

Parameters and buffers are torch.nn.Parameters and tensors over the memory of gyre's, under the same
names, so that either side trains them and state dicts fit both.
"""

import copy

import torch

import gyre
import gyre.nn
from gyre.torch import _layers


class Module(torch.nn.Module):
    """A gyre.nn.Module, `module`, as a module of PyTorch. Its options are those of the module; train()
    and eval() set the module's mode too. In training its buffers follow, as PyTorch's do."""

    def __init__(self, module):
        super().__init__()
        if not isinstance(module, gyre.nn.Module):
            raise TypeError(f"a gyre.nn.Module is wanted, got a {type(module).__name__}")
        self.module = module
        self.training = module.training
        self._layer = _layers.Layer(module)
        for name, tensor in module.named_parameters():
            shared = torch.from_dlpack(tensor.detach())
            _place(self, name).register_parameter(_last(name), torch.nn.Parameter(shared, tensor.requires_grad))
        for name, tensor in module.named_buffers():
            _place(self, name).register_buffer(_last(name), torch.from_dlpack(tensor.detach()))

    def forward(self, *inputs):
        """The module's results; inputs in its order, None for one that is absent."""
        parameters = [p for _, p in self.named_parameters(remove_duplicate=False)]
        buffers = [b for _, b in self.named_buffers(remove_duplicate=False)]
        return _layers.run(self._layer, inputs, parameters, buffers, self.training)

    def train(self, mode=True):
        self.module.train(mode)
        return super().train(mode)

    def extra_repr(self):
        return repr(self.module) if type(self) is Module else self.module.extra_repr()

    def _apply(self, fn, recurse=True):
        """Casts may move PyTorch's tensors: gyre's go with them."""
        super()._apply(fn, recurse)
        tensors = {**dict(self.named_parameters()), **dict(self.named_buffers())}
        self.module._put({name: gyre.from_torch(tensor) for name, tensor in tensors.items()})
        return self

    def __deepcopy__(self, memo):
        return _around(type(self), copy.deepcopy(self.module, memo), self._wanted(), self.training)

    def __reduce__(self):
        return _around, (type(self), self.module, self._wanted(), self.training)

    def _wanted(self):
        return {name: p.requires_grad for name, p in self.named_parameters()}


def _around(cls, module, wanted, training):
    made = cls.__new__(cls)
    Module.__init__(made, module)
    for name, p in made.named_parameters():
        p.requires_grad_(wanted[name])
    return made.train(training)


def _last(name):
    return name.rpartition(".")[2]


def _place(module, name):
    """The module that holds the tensor of that name, made where it is missing."""
    for part in name.split(".")[:-1]:
        if part not in module._modules:
            module.add_module(part, torch.nn.Module())
        module = module._modules[part]
    return module


def _class_of(layer):
    def __init__(self, *args, **kwargs):
        Module.__init__(self, layer(*args, **kwargs))

    __init__.__signature__ = getattr(layer.__init__, "__signature__", None)
    return type(layer.__name__, (Module,), {"__init__": __init__, "__doc__": layer.__doc__, "__module__": __name__})


__all__ = ["Module"]
for _name, _value in vars(gyre.nn).items():
    if isinstance(_value, type) and issubclass(_value, gyre.nn.Layer) and _value is not gyre.nn.Layer:
        globals()[_name] = _class_of(_value)
        __all__.append(_name)
