"""Tensors of a module that are computed whenever they are read, in place of parameters and buffers."""

import copy
import functools

from gyre.nn.layers import Layer, of_table
from gyre.nn.module import Module, Parameter, functional_call


def computed(module):
    """How the computed tensors of a module are made, by name."""
    return module.__dict__.get("_computed", {})


def class_before(module):
    """The class of a module before any of its tensors was computed."""
    return getattr(type(module), "_before", type(module))


def own_tensor(module, name):
    """The parameter or buffer with that name of the module itself."""
    if not isinstance(module, Module):
        raise TypeError(f"expected a gyre.nn.Module, got {type(module).__name__}")
    own = dict([*module.named_parameters(recurse=False), *module.named_buffers(recurse=False)])
    if name not in own:
        raise ValueError(f"{type(module).__name__} has no parameter or buffer {name!r} of its own; it has {sorted(own)}")
    return own[name]


def compute(module, name, how, title=None):
    """Replaces a parameter or buffer by how.value(module) at each read; an assignment calls how.assign(module, value).
    `title` is the name of the module's class from now on."""
    if isinstance(module, Layer) and module._in_cpp and name in module._core_tensors():
        _leave_core(module)
    delattr(module, name)
    module.__dict__["_computed"] = {**computed(module), name: how}
    _set_class(module, title or type(module).__name__)


def restore(module, name, tensor):
    """Ends compute(): a Parameter, or else a buffer, takes the place of the computed tensor."""
    module.__dict__["_computed"] = {n: how for n, how in computed(module).items() if n != name}
    _set_class(module, type(module).__name__)
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)
    if not computed(module):
        del module.__dict__["_computed"]
        if "_layer" in module.__dict__:
            _enter_core(module)


# ---- classes ----

def _set_class(module, title):
    names = tuple(computed(module))
    module.__class__ = _class(class_before(module), title, names, "_layer" in module.__dict__)


@functools.lru_cache(maxsize=None)
def _class(before, title, names, in_layer):
    if not names:
        return before
    tensors = {name: property(functools.partial(_value, name=name)) for name in names}
    return type(title, (_WithLayer if in_layer else _Computing, before), {**tensors, "_before": before})


def _value(module, name):
    try:
        return computed(module)[name].value(module)
    except AttributeError as error:  # which Python would take for a missing attribute of the module
        raise RuntimeError(f"{name}: {error}") from error


def _blank(*description):
    cls = _class(*description)
    module = cls.__new__(cls)
    Module.__init__(module)
    return module


class _Computing:
    """Members of a module with computed tensors."""

    def __setattr__(self, name, value):
        if name in computed(self):
            return computed(self)[name].assign(self, value)
        super().__setattr__(name, value)

    def __reduce__(self):
        description = (self._before, type(self).__name__, tuple(computed(self)), "_layer" in self.__dict__)
        return _blank, description, self.__getstate__()


# ---- layers in C++ ----

class _WithLayer(_Computing):
    """Members of a layer of the table with computed tensors. The module has all tensors as attributes, and lends them
    to a layer without tensors of its own for each call."""

    def __getattr__(self, name):
        if name.startswith("__") or "_layer" not in self.__dict__ or name in self.__dict__["_lent"]:
            raise AttributeError(f"{self._class_name()} has no attribute {name}")
        return getattr(self.__dict__["_layer"], name)

    def __setattr__(self, name, value):
        if "_layer" in self.__dict__ and name not in self.__dict__["_lent"] and self._options.option(name):
            setattr(self._layer, name, value)
            if name not in self.__dict__:
                return
        super().__setattr__(name, value)

    def forward(self, *args, **kwargs):
        layer, tensors = self._layer, {name: getattr(self, name) for name in self._lent}
        if layer.training != self.training:
            layer.train(self.training)
        self._share(self, layer)
        result = functional_call(layer, {n: t for n, t in tensors.items() if t is not None}, args, kwargs)
        self._share(layer, self)
        return result

    def _share(self, module, other):
        """Gives a module the attributes of another, which forward() of a subclass may read and set."""
        apart = {*_OWN, *self._lent}
        other.__dict__.update({name: value for name, value in module.__dict__.items() if name not in apart})


# Attributes that the module and the layer it runs have each for itself.
_OWN = ("_computed", "_given", "_kinds", "_layer", "_lent", "_mode", "_parts", "_title", "forward", "parametrizations")


def _leave_core(module):
    if module._given is None or module._parts:
        raise ValueError(f"{module._class_name()}: a layer of several layers in C++ needs its own tensors; build the "
                         "model of separate layers, such as gyre.nn.Linear")
    tensors, mode = module._core_tensors(), module.training
    layer = copy.copy(module)
    layer.__dict__.pop("forward", None)  # hooks, which run around the module's own forward
    layer._put({name: tensor.new_empty(0) for name, tensor in tensors.items() if tensor is not None})
    # A module cannot be without a core once it had one; that of ReLU has no tensors.
    module._hold(of_table["ReLU"]._definition.make({}))
    for name in ("_parts", "_title"):
        del module.__dict__[name]
    module._begin_alone(module._given)
    module.training = mode
    module.__dict__.update(_layer=layer, _lent=tuple(tensors))
    for name, tensor in tensors.items():
        if tensor is None or isinstance(tensor, Parameter):
            module.register_parameter(name, tensor)
        else:
            module.register_buffer(name, tensor)


def _enter_core(module):
    layer, mode = module.__dict__.pop("_layer"), module.training
    tensors = {name: module.__dict__[name] for name in module.__dict__.pop("_lent")}
    for name in tensors:
        delattr(module, name)
    del module.__dict__["_mode"]
    module._begin(module._definition.make(layer._given, drawn=False), layer._given)
    module._put({name: tensor for name, tensor in tensors.items() if tensor is not None})
    module.train(mode)
