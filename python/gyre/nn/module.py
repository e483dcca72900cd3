"""gyre.nn.Module: the base class of models, with parameters, buffers and submodules as attributes."""

from gyre._gyre import Tensor, _nn

Parameter = _nn.Parameter


def _kind_of(value):
    if isinstance(value, Parameter):
        return "parameter"
    return "module" if isinstance(value, Module) else None


def _blank(cls):
    module = cls.__new__(cls)
    Module.__init__(module)
    return module


class Module(_nn.Module):
    """Base class of models. A subclass calls super().__init__(), assigns Parameters and Modules to attributes
    (and register_buffer for tensors that are not trained) and defines forward:

        class Net(gyre.nn.Module):
            def __init__(self):
                super().__init__()
                self.hidden, self.out = gyre.nn.Linear(784, 128), gyre.nn.Linear(128, 10)

            def forward(self, x):
                return self.out(self.hidden(x).relu())

    Names of nested members are joined by dots: "hidden.weight"."""

    training = True

    def __init__(self):
        super().__init__()
        object.__setattr__(self, "_kinds", {})  # kinds of the attributes below: see module_object.h

    __call__ = _nn.Module.__call__  # calls forward, from C++

    # ---- attributes ----

    def _own_kinds(self, name):
        kinds = self.__dict__.get("_kinds")
        if kinds is None:
            raise TypeError(f"{type(self).__name__} must call super().__init__() before it sets {name}")
        return kinds

    def _check_name(self, name):
        if not isinstance(name, str) or not name or "." in name:
            raise ValueError(f"expected a non-empty str without dots as member name, got {name!r}")

    def _set(self, name, value, kind):
        self._check_name(name)
        if callable(getattr(type(self), name, None)):
            raise ValueError(f"{name} is a method of {type(self).__name__} and cannot be the name of a {kind}")
        if kind == "module" and value is not None and any(m is self for m in value.modules()):
            raise ValueError(f"setting {name} would make the module a part of itself")
        object.__setattr__(self, name, value)
        self._own_kinds(name)[name] = kind

    def __setattr__(self, name, value):
        kind = _kind_of(value)
        if kind:
            self._own_kinds(name)
            return self._set(name, value, kind)
        was = self.__dict__.get("_kinds", {}).get(name)
        if was == "buffer" and isinstance(value, Tensor):
            value = value.detach()
        elif was and value is not None:
            raise TypeError(f"{name} is a {was} of {type(self).__name__}: expected a {was} or None, "
                            f"got {type(value).__name__}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name):
        object.__delattr__(self, name)
        self.__dict__.get("_kinds", {}).pop(name, None)

    def register_buffer(self, name, tensor):
        """Registers a tensor (or None) that is part of the state but not trained, as a buffer. Its memory is
        shared."""
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"buffer {name}: expected a gyre.Tensor or None, got {type(tensor).__name__}")
        self._set(name, tensor if tensor is None else tensor.detach(), "buffer")

    def register_parameter(self, name, parameter):
        """Same as assigning the attribute; None declares an absent parameter."""
        if parameter is not None and not isinstance(parameter, Parameter):
            raise TypeError(f"parameter {name}: expected a gyre.nn.Parameter or None, got {type(parameter).__name__}")
        self._set(name, parameter, "parameter")

    def add_module(self, name, module):
        """Same as assigning the attribute, also for names that are not identifiers ("0")."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"module {name}: expected a gyre.nn.Module or None, got {type(module).__name__}")
        self._set(name, module, "module")

    # ---- submodules ----

    def named_children(self):
        """(name, module) pairs of the direct submodules."""
        attributes = self.__dict__
        for name, kind in list(attributes.get("_kinds", {}).items()):  # empty before __init__
            if kind == "module" and attributes.get(name) is not None:
                yield name, attributes[name]

    def children(self):
        """The direct submodules."""
        return (module for _, module in self.named_children())

    def named_modules(self, prefix="", _seen=None):
        """(name, module) pairs of this module, named `prefix`, and all submodules, each once."""
        seen = set() if _seen is None else _seen
        if id(self) in seen:
            return
        seen.add(id(self))
        yield prefix, self
        for name, module in self.named_children():
            yield from module.named_modules(f"{prefix}.{name}" if prefix else name, seen)

    def modules(self):
        """This module and all submodules, each once."""
        return (module for _, module in self.named_modules())

    def get_submodule(self, path):
        """The submodule with that name, as in named_modules()."""
        for name, module in self.named_modules():
            if name == path:
                return module
        raise AttributeError(f"{type(self).__name__} has no submodule {path}")

    def apply(self, function):
        """Calls function(module) for all submodules, then for this module. Returns the module itself."""
        for module in self.children():
            module.apply(function)
        function(self)
        return self

    def train(self, mode=True):
        """Sets `training`, which layers such as dropout depend on, on this module and all submodules. Returns
        the module itself."""
        self.training = bool(mode)
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """Sets evaluation mode; same as train(False)."""
        return self.train(False)

    # ---- repr and copies ----

    def _class_name(self):
        return type(self).__name__

    def extra_repr(self):
        """The text in parentheses in repr(); subclasses may override it."""
        return ""

    def __repr__(self):
        parts = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self.named_children()]
        inside = ([self.extra_repr()] if self.extra_repr() else []) + parts
        if not parts:
            return f"{self._class_name()}({self.extra_repr()})"
        return f"{self._class_name()}(\n  " + "\n  ".join(inside) + "\n)"

    def __getstate__(self):
        return dict(self.__dict__)

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __reduce__(self):
        return _blank, (type(self),), self.__getstate__()

    def __copy__(self):
        copy = _blank(type(self))
        state = self.__getstate__()
        state["_kinds"] = dict(state["_kinds"])
        copy.__setstate__(state)
        return copy


def value_and_grad(module, function):
    """A function that calls `function` and returns its result and the gradients of the result by the parameters of
    the module that require grad: a dict by name. The result is a loss of one element, or a tuple or list that
    starts with it. The grad of the parameters does not change.

    As in MLX:

        loss_and_gradients = gyre.nn.value_and_grad(model, lambda x, y: gyre.cross_entropy(model(x), y))
        loss, gradients = loss_and_gradients(x, y)
        optimizer.apply_gradients(gradients, model)"""
    if not isinstance(module, Module):
        raise TypeError(f"value_and_grad: expected a gyre.nn.Module, got {type(module).__name__}")

    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        loss = result[0] if isinstance(result, (tuple, list)) else result
        if not isinstance(loss, Tensor):
            raise TypeError(f"value_and_grad: expected a function that returns a loss tensor, got {type(loss).__name__}")
        return result, _nn.gradients_of(module, loss)

    return call


def functional_call(module, tensors, args=(), kwargs=None):
    """module(*args, **kwargs) with these tensors, by name, in place of its parameters and buffers; the others
    are unchanged. A shared tensor is replaced under all its names. The module gets its own tensors back
    afterwards, also after an exception. Concurrent calls on one module are serialised; a checkpoint inside the
    call recomputes with the same tensors."""
    if not isinstance(module, Module):
        raise TypeError(f"functional_call: expected a gyre.nn.Module, got {type(module).__name__}")
    return module._call_with(tensors, args if isinstance(args, tuple) else (args,), kwargs or {})
