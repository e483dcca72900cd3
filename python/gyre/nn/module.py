"""gyre.nn.Module: the base class of models, with parameters, buffers and submodules as attributes."""

import collections
import types

from gyre._display import module_tree
from gyre._gyre import DType, Tensor, _nn

Parameter = _nn.Parameter
IncompatibleKeys = collections.namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")


class _Parameters(list):
    """A list that next() accepts, since PyTorch's parameters() is an iterator."""

    def __next__(self):
        if not self:
            raise StopIteration
        return self.pop(0)


class Buffer:
    """A tensor that becomes a buffer of the module to which it is assigned: module.mask = Buffer(mask)."""

    def __init__(self, data, *, persistent=True):
        self.data, self.persistent = data, persistent

    def __repr__(self):
        return f"Buffer({self.data!r}, persistent={self.persistent})"


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
        if "_kinds" in self.__dict__:  # a second call has no effect
            return
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
        if isinstance(value, Buffer):
            return self.register_buffer(name, value.data, value.persistent)
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

    def register_buffer(self, name, tensor, persistent=True):
        """Registers a tensor (or None) that is not trained, as a buffer. Its memory is shared. Unless it is
        persistent, it is not part of the state dict."""
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"buffer {name}: expected a gyre.Tensor or None, got {type(tensor).__name__}")
        self._set(name, tensor if tensor is None else tensor.detach(), "buffer")
        transient = self.__dict__.get("_transient", ())
        if not persistent or name in transient:
            self.__dict__["_transient"] = tuple(n for n in transient if n != name) + (name,) * (not persistent)

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

    register_module = add_module

    def _members(kind):
        def members(self):
            own = self.named_children if kind == "module" else getattr(super(Module, self), f"named_{kind}s")
            kinds = {name: None for name, what in self.__dict__.get("_kinds", {}).items() if what == kind}
            return types.MappingProxyType({**kinds, **{name: x for name, x in own() if "." not in name}})

        return property(members, doc=f"the {kind}s of this module itself by name, which cannot be changed here; set the attribute")

    _modules, _parameters, _buffers = map(_members, ("module", "parameter", "buffer"))

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

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """(name, module) pairs of this module, named `prefix`, and all submodules, each once if remove_duplicate."""
        seen = set() if memo is None else memo
        if remove_duplicate and id(self) in seen:
            return
        seen.add(id(self))
        yield prefix, self
        for name, module in self.named_children():
            yield from module.named_modules(seen, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self):
        """This module and all submodules, each once."""
        return (module for _, module in self.named_modules())

    def get_submodule(self, path):
        """The submodule with that name, as in named_modules()."""
        for name, module in self.named_modules(remove_duplicate=False):
            if name == path:
                return module
        raise AttributeError(f"{type(self).__name__} has no submodule {path}")

    def set_submodule(self, path, module):
        """Replaces the submodule with that name."""
        whole, _, name = path.rpartition(".")
        owner = self.get_submodule(whole)
        owner.get_submodule(name)  # raises AttributeError for unknown names
        owner.add_module(name, module)

    def get_parameter(self, path):
        """The parameter with that name, as in named_parameters()."""
        return self._get(path, "parameter", Parameter)

    def get_buffer(self, path):
        """The buffer with that name, as in named_buffers()."""
        return self._get(path, "buffer", Tensor)

    def _get(self, path, kind, cls):
        whole, _, name = path.rpartition(".")
        owner = self.get_submodule(whole)
        if name not in dict(owner.named_parameters() if cls is Parameter else owner.named_buffers()):
            raise AttributeError(f"{type(self).__name__} has no {kind} {path}")
        return getattr(owner, name)

    # ---- tensors ----

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """(name, Parameter) pairs of this module and, if `recurse`, its submodules. A shared parameter appears once,
        under its first name, if remove_duplicate."""
        return self._named(super().named_parameters, "parameters", prefix, recurse, remove_duplicate)

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """(name, tensor) pairs of the buffers: tensors that are not trained."""
        return self._named(super().named_buffers, "buffers", prefix, recurse, remove_duplicate)

    def _named(self, pairs, what, prefix, recurse, remove_duplicate):
        if recurse and not remove_duplicate:
            return [(f"{name}.{own}" if name else own, tensor)
                    for name, module in self.named_modules(prefix=prefix, remove_duplicate=False)
                    for own, tensor in getattr(module, f"named_{what}")(recurse=False)]
        start = f"{prefix}." if prefix else ""
        return [(start + name, tensor) for name, tensor in pairs() if recurse or "." not in name]

    def parameters(self, recurse=True):
        """List of the parameters, each tensor once."""
        return _Parameters(super().parameters() if recurse else (p for _, p in self.named_parameters(recurse=False)))

    def buffers(self, recurse=True):
        """List of the buffers."""
        return _Parameters(b for _, b in self.named_buffers(recurse=recurse))

    def _transient_names(self):
        for name, module in self.named_modules():
            for own in module.__dict__.get("_transient", ()):
                yield f"{name}.{own}" if name else own

    def state_dict(self, destination=None, prefix="", keep_vars=False):
        """Parameters and persistent buffers by name, sharing the module's memory; keep_vars: the parameters
        themselves. A shared tensor appears once, under its first name."""
        state = super().state_dict()
        for name in self._transient_names():
            state.pop(name, None)
        if keep_vars:
            state.update((name, p) for name, p in self.named_parameters() if name in state)
        if destination is None and not prefix:
            return state
        destination = {} if destination is None else destination
        destination.update((prefix + name, tensor) for name, tensor in state.items())
        return destination

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copies values by name into the module's tensors, converting dtypes. ValueError for missing or unknown
        names, ShapeError for different shapes; on error nothing changes. With strict=False, missing and unknown
        names are allowed. Returns the lists missing_keys and unexpected_keys."""
        if assign:
            raise ValueError("load_state_dict: gyre has no assign; set the parameters as attributes")
        own = super().state_dict()
        kept = [name for name in self._transient_names() if name in own]
        # BatchNorm of PyTorch before 0.4.1 did not have it
        kept += [name for name in own if name.endswith("num_batches_tracked") and name not in state_dict]
        if kept:
            state_dict = {**state_dict, **{name: own[name] for name in kept}}
        return IncompatibleKeys(*super().load_state_dict(state_dict, strict))

    def zero_grad(self, set_to_none=True):
        """Sets the gradients of all parameters to None, or to 0."""
        if set_to_none:
            return super().zero_grad()
        for parameter in self.parameters():
            if parameter.grad is not None:
                parameter.grad.zero_()

    # ---- dtypes and devices ----

    def to(self, *args, dtype=None, device=None, non_blocking=False):
        """Casts floating-point parameters and buffers to a dtype, of which buffers keep at least f32, and moves all
        of them to a device; a tensor stands for its dtype and device. The new tensors have no gradients; existing
        optimisers and EMAs switch to them. Returns the module itself."""
        for value in args:
            if isinstance(value, Tensor):
                dtype, device = value.dtype, value.device
            elif isinstance(value, DType) or value is float:
                dtype = value
            elif value is not None:
                super().to(value)  # the name of a dtype or device
        return super().to(dtype, device) if dtype is not None or device is not None else self

    def type(self, dst_type):
        """Casts floating-point parameters and buffers. Returns the module itself."""
        return self.to(dst_type)

    def float(self):
        """to(gyre.f32)."""
        return self.to(DType.f32)

    def double(self):
        """to(gyre.f64)."""
        return self.to(DType.f64)

    def half(self):
        """to(gyre.f16)."""
        return self.to(DType.f16)

    def bfloat16(self):
        """to(gyre.bf16)."""
        return self.to(DType.bf16)

    def cpu(self):
        """Moves all parameters and buffers to the CPU. Returns the module itself."""
        return self.to(device="cpu")

    def cuda(self, device=None):
        """Moves all parameters and buffers to a GPU, by default the first. Returns the module itself."""
        return self.to(device="cuda" if device is None else f"cuda:{device}" if isinstance(device, int) else device)

    # ---- hooks ----

    def _add_hook(self, kind, hook, options, prepend):
        from gyre.nn.hooks import Hooked

        hooked = self.__dict__.get("forward")
        if not isinstance(hooked, Hooked):
            hooked = self.__dict__["forward"] = Hooked(self)
        return hooked.add(kind, hook, options, prepend)

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Calls hook(module, args), or hook(module, args, kwargs), before each forward; it may return other inputs.
        Returns a handle whose remove() removes the hook."""
        return self._add_hook("before", hook, with_kwargs, prepend)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Calls hook(module, args, result), or hook(module, args, kwargs, result), after each forward; it may return
        another result. Returns a handle whose remove() removes the hook."""
        return self._add_hook("after", hook, with_kwargs, prepend)

    def register_full_backward_hook(self, hook, prepend=False):
        """Calls hook(module, grad_input, grad_output) in backward; it may return another grad_input. Returns a handle
        whose remove() removes the hook."""
        return self._add_hook("backward", hook, None, prepend)

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

    _get_name = _class_name

    def extra_repr(self):
        """The text in parentheses in repr(); subclasses may override it."""
        return ""

    def __repr__(self):
        parts = [f"({name}): " + repr(module).replace("\n", "\n  ") for name, module in self.named_children()]
        inside = ([self.extra_repr()] if self.extra_repr() else []) + parts
        if not parts:
            return f"{self._class_name()}({self.extra_repr()})"
        return f"{self._class_name()}(\n  " + "\n  ".join(inside) + "\n)"

    def _repr_html_(self):
        return module_tree(self)

    def __getstate__(self):
        return dict(self.__dict__)

    def __setstate__(self, state):
        self.__dict__.update(state)

    def __reduce__(self):
        return _blank, (type(self),), self.__getstate__()

    def __copy__(self):
        copy = _blank(type(self))
        copy.__setstate__(self._copied_state(copy))
        return copy

    def _copied_state(self, copy):
        state = self.__getstate__()
        state["_kinds"] = dict(state["_kinds"])
        if hasattr(state.get("forward"), "for_copy"):
            state["forward"] = state["forward"].for_copy(copy)
        return state


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
    call recomputes with the same tensors. A list of dicts counts as one dict."""
    if not isinstance(module, Module):
        raise TypeError(f"functional_call: expected a gyre.nn.Module, got {type(module).__name__}")
    if isinstance(tensors, (list, tuple)):
        tensors = {name: x for part in tensors for name, x in part.items()}
    return module._call_with(tensors, args if isinstance(args, tuple) else (args,), kwargs or {})
