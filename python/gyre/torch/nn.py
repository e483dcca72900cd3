"""gyre's layers as PyTorch modules: `gyre.torch.nn.NAME(...)` for every layer of the layer table, and
`gyre.torch.nn.Module(module)` for any gyre.nn.Module.

    model = torch.nn.Sequential(torch.nn.Linear(784, 128), gyre.torch.nn.LayerNorm(128))

Parameters and buffers are torch.nn.Parameters and tensors that share gyre's memory under the same names, so
both sides can train them and load each other's state dicts. Packed weights stay in the gyre module, whose optimisers
train them; state_dict() has them as two int64 tensors, NAME.words and NAME.headers, as in their files.
"""

import torch

import gyre
import gyre.nn
from gyre.torch import _layers, _signature

_PARTS = ("words", "headers")  # of packed weights in a state dict


class Module(torch.nn.Module):
    """A PyTorch module that wraps a gyre.nn.Module, its attribute `gyre`. train() and eval() also set the mode
    of that. In training, buffers are updated as in PyTorch's modules."""

    def __init__(self, module):
        super().__init__()
        if not isinstance(module, gyre.nn.Module):
            raise TypeError(f"expected a gyre.nn.Module, got {type(module).__name__}")
        self.gyre = module
        self.training = module.training
        self._layer = _layers.Layer(module)
        for name, tensor in module.named_parameters():
            if tensor.is_packed:
                continue
            shared = torch.from_dlpack(tensor.detach())
            _place(self, name).register_parameter(_last(name), torch.nn.Parameter(shared, tensor.requires_grad))
        for name, tensor in module.named_buffers():
            _place(self, name).register_buffer(_last(name), torch.from_dlpack(tensor.detach()))

    def forward(self, *inputs):
        """The module's results; inputs in order, None for an absent one."""
        parameters, buffers = ([_found(self, name) for name in names]
                               for names in (self._layer.parameters, self._layer.buffers))
        return _layers.run(self._layer, inputs, parameters, buffers, self.training)

    def train(self, mode=True):
        self.gyre.train(mode)
        return super().train(mode)

    def extra_repr(self):
        return repr(self.gyre) if type(self) is Module else self.gyre.extra_repr()

    def _apply(self, fn, recurse=True):
        """Casts may move PyTorch's tensors; gyre's tensors follow."""
        super()._apply(fn, recurse)
        self._share()
        return self

    def __setstate__(self, state):
        super().__setstate__(state)
        self._share()

    def _share(self):
        """Makes gyre's module share the memory of the current tensors, where gyre can read it."""
        here = {**dict(self.named_parameters()), **dict(self.named_buffers())}
        names = (*self._layer.parameters, *self._layer.buffers)
        self.gyre._put({name: gyre.from_torch(here[name]) for name in names
                        if name in here and _signature.taken(here[name])})

    def _packed(self):
        return [(name, tensor) for name, tensor in self.gyre.named_parameters() if tensor.is_packed]

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        for name, tensor in self._packed():
            for part in _PARTS:
                destination[f"{prefix}{name}.{part}"] = torch.from_dlpack(getattr(tensor, part))

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, errors):
        found = {}
        for name, tensor in self._packed():
            keys = [f"{prefix}{name}.{part}" for part in _PARTS]
            missing_keys += [key for key in keys if key not in state_dict] if strict else []
            parts = [state_dict.pop(key) for key in keys if key in state_dict]
            if len(parts) == len(keys):
                try:
                    found[name] = gyre.packed.from_words(*map(gyre.from_torch, parts), tensor.format, tensor.shape)
                except gyre.Error as error:
                    errors.append(f"{prefix}{name}: {error}")
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, errors)
        self.gyre.load_state_dict(found, strict=False)


def _found(module, name):
    """The current attribute with that (dotted) name."""
    for part in name.split("."):
        module = getattr(module, part)
    return module


def _last(name):
    return name.rpartition(".")[2]


def _place(module, name):
    """The submodule that holds the tensor with that name, created if missing."""
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
for _name, _value in gyre.nn.layers.of_table.items():
    globals()[_name] = _class_of(_value)
    __all__.append(_name)
