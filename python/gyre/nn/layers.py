"""A class for each layer of the layer table, created on import; no layer is named here."""

import functools
import inspect

from gyre._gyre import _nn, no_grad
from gyre._options import Options, with_options
from gyre.nn.module import Module, Parameter, Tensor


class Layer(Module):
    """A layer of the table, implemented in C++. Its tensors are attributes (`layer.weight`), and so are its
    submodules (`block.attn`, or a list of them, `gpt.h`). Options are given by keyword or in the order of the
    table; an option whose name is a Python keyword has a trailing underscore (`in_`), and PyTorch's names are accepted.
    `device` and `dtype` are those of the tensors. A subclass may do without the C++ layer (`_begin_alone`)."""

    _definition = None
    _options = Options("Layer", [])

    def _begin(self, core, given):
        self._hold(core)
        parts = {name: _part(inner) for name, inner in self._core_parts()}
        self.__dict__.update(_parts=parts, _given=given, _title=core.class_name)

    def _begin_alone(self, given):
        """Makes it an ordinary module, whose attributes are Python's, with the options given."""
        self.__dict__.update(_given=given, _mode=True)

    @property
    def _in_cpp(self):
        return "_parts" in self.__dict__

    @property
    def options(self):
        """Its options by name; None for a submodule of another layer."""
        given = self._given or {}
        return {f["name"]: given.get(f["name"], f["default"]) for f in self._options.fields}

    @property
    def training(self):
        return self._core_training() if self._in_cpp else self.__dict__.get("_mode", True)

    @training.setter
    def training(self, mode):
        if self._in_cpp:
            return self._train_core(mode)
        self.__dict__["_mode"] = mode

    # ---- tensors and submodules as attributes ----

    def __getattr__(self, name):
        attributes = self.__dict__
        if "_parts" in attributes and not name.startswith("__"):
            if name in attributes["_parts"]:
                return attributes["_parts"][name]
            numbered = [part for whole, part in attributes["_parts"].items() if whole.startswith(name + ".")]
            if numbered:
                return numbered
            tensors = self._core_tensors()
            if name in tensors:
                return tensors[name]
            if attributes["_given"] is not None and (option := self._options.option(name)):
                return self.options[option]
        raise AttributeError(f"{self._class_name()} has no attribute {name}")

    def __setattr__(self, name, value):
        attributes = self.__dict__
        if "_parts" not in attributes:
            return super().__setattr__(name, value)
        if name in attributes["_parts"]:
            raise TypeError(f"{name} is a submodule of {self._class_name()} and cannot be replaced")
        tensors = self._core_tensors()
        if name in tensors:
            return self._set_tensor(name, tensors[name], value)
        if attributes["_given"] is None and isinstance(value, (Parameter, Module)):
            raise TypeError(f"cannot add {name} to {self._class_name()}, a submodule of a layer")
        if option := self._options.option(name):
            self._set_option(option, value)
            if name not in attributes:
                return
        super().__setattr__(name, value)

    def _set_option(self, option, value):
        if self._given is None:
            raise TypeError(f"{option} of {self._class_name()} is an option of the whole layer and cannot be changed")
        given, tensors = {**self._given, option: value}, self._core_tensors()
        core, mode = self._definition.make(given, drawn=False), self.training
        self._begin(core, given)
        self._put({name: t for name, t in tensors.items() if t is not None})
        self.train(mode)

    def reset_parameters(self):
        """Draws the parameters anew and resets the buffers, as when the layer is created."""
        given = {name: value for name, value in self._given.items() if value is not None}
        fresh = held(of_table[self._definition.name], self._definition.make(given), given)
        with no_grad():
            for name, tensor in [*self.named_parameters(recurse=False), *self.named_buffers(recurse=False)]:
                tensor.copy_(getattr(fresh, name))

    def _set_tensor(self, name, own, value):
        kind = Parameter if isinstance(own, Parameter) else Tensor
        if own is None or not isinstance(value, kind):
            wanted = "None (the layer was created without it)" if own is None else f"a gyre {kind.__name__}"
            raise TypeError(f"{name} of {self._class_name()}: expected {wanted}, got {type(value).__name__}")
        if value.shape != own.shape:
            raise ValueError(f"{name} of {self._class_name()}: expected shape {own.shape}, got {value.shape}")
        self._put({name: value})

    def __dir__(self):
        return [*super().__dir__(), *self.__dict__.get("_parts", ()), *self._core_tensors()]

    def named_children(self):
        yield from self.__dict__.get("_parts", {}).items()
        yield from super().named_children()

    # ---- repr and copies ----

    def _class_name(self):
        own = type(self).__name__
        return self.__dict__.get("_title", own) if type(self) is Layer else own

    def extra_repr(self):
        if not self._in_cpp:
            return self._options.changed(self.__dict__.get("_given") or {})
        tensors = {name: t for name, t in self._core_tensors().items() if t is not None}
        if self._given is None:
            return ", ".join(f"{name}={list(t.shape)}{' ' + t.format if t.is_packed else ''}" for name, t in tensors.items())
        # those of the weights as they are now, which may have been packed after the layer was made
        formats = list(dict.fromkeys(t.format for t in tensors.values() if t.is_packed))
        options = {name: value for name, value in self.options.items() if not (formats and name == "format")}
        shown = [self._options.changed(options)] + [f"format={', '.join(formats)!r}"] * bool(formats)
        return ", ".join(part for part in shown if part)

    def _layer_parts(self, prefix=""):
        """(prefix, layer) pairs of this layer and its submodules in C++."""
        yield prefix, self
        for name, part in self._parts.items():
            yield from part._layer_parts(f"{prefix}{name}.")

    def __getstate__(self):
        if not self._in_cpp:
            return super().__getstate__()
        state = {name: value for name, value in self.__dict__.items() if name not in ("_parts", "_given", "_title")}
        parts = list(self._layer_parts())
        state["_core"] = ([part.training for _, part in parts],
                          {prefix + name: tensor for prefix, part in parts
                           for name, tensor in part._core_tensors().items() if tensor is not None})
        return state

    def __setstate__(self, state):
        if "_core" not in state:
            return super().__setstate__(state)
        state = dict(state)
        modes, tensors = state.pop("_core")
        self._put(tensors)
        for mode, (_, part) in zip(modes, self._layer_parts()):
            part._train_core(mode)
        super().__setstate__(state)

    def __reduce__(self):
        if not self._in_cpp:
            return super().__reduce__()
        if self._given is None:
            raise TypeError(f"{self._class_name()} is a part of a layer; copy the whole layer instead")
        return _blank_layer, (type(self), self._given), self.__getstate__()

    def __copy__(self):
        if not self._in_cpp:
            return super().__copy__()
        copy = _blank_layer(*self.__reduce__()[1])
        copy.__setstate__(self._copied_state(copy))
        return copy


def held(cls, core, given):
    """A layer of that class around an existing C++ module; `given`: the options it was created with."""
    layer = cls.__new__(cls)
    Module.__init__(layer)
    layer._begin(core, given)
    return layer


def _blank_layer(cls, given):
    return held(cls, cls._definition.make(given, drawn=False), given)


def _part(core):
    return held(classes[core.layer.name] if core.layer else Layer, core, None)


def _doc(definition, options):
    inputs = ", ".join(i["name"] + ("=None" if i["optional"] else "") for i in definition.inputs)
    lines = [definition.doc, "", f"forward({inputs}) returns {', '.join(definition.outputs)}."]
    return "\n".join(lines + (["", "Options:", options.describe()] if options.fields else []))


# Layers whose PyTorch counterpart can overwrite its input; gyre's never do.
_IN_PLACE = ("Dropout", "ELU", "LeakyReLU", "ReLU", "SiLU")
_IN_PLACE_OPTION = {"name": "inplace", "type": "bool", "default": False, "positional": False, "also": [], "choices": [],
                    "doc": "accepted as in PyTorch; the input never changes"}


def place(module, device=None, dtype=None):
    """Moves a new module to a device and casts it."""
    return module if device is None and dtype is None else module.to(dtype=dtype, device=device)


def _class_of(definition):
    extra = [_IN_PLACE_OPTION] if definition.name in _IN_PLACE else []
    options = Options(definition.name, [*definition.options, *extra])

    def __init__(self, *args, device=None, dtype=None, **kwargs):
        Module.__init__(self)
        given = options.bind(args, kwargs)
        given.pop("inplace", None)
        self._begin(definition.make(given), given)
        place(self, device, dtype)

    with_options(__init__, options)
    __init__.__qualname__ = f"{definition.name}.__init__"
    return type(definition.name, (Layer,), {
        "__init__": __init__, "__doc__": _doc(definition, options), "__module__": "gyre.nn",
        "_definition": definition, "_options": options})


# Options of the table that PyTorch calls otherwise, beside the names that the table knows.
_ALSO = {"size": "output_size"}


def torch_layer(cls):
    """Decorator: a subclass of a layer of the table whose __init__ has PyTorch's signature takes its place in the
    table. The names of the table's options are accepted as well."""
    init, options = cls.__init__, cls._options
    names = [name for name in inspect.signature(init).parameters if name != "self"]
    spelled = {**{name: other for name, other in _ALSO.items() if other in names}, **options.spellings(names)}

    @functools.wraps(init)
    def __init__(self, *args, **kwargs):
        Module.__init__(self)
        for name in [name for name in kwargs if name not in names and name in spelled]:
            if spelled[name] in kwargs or names.index(spelled[name]) < len(args):
                raise TypeError(f"{cls.__name__} got {name} twice, also as {spelled[name]}")
            kwargs[spelled[name]] = kwargs.pop(name)
        init(self, *args, **kwargs)

    cls.__init__, cls.__module__ = __init__, "gyre.nn"
    return take_place(cls)


def take_place(cls):
    """Puts a class into the place of the layer of the table with its name, if there is one."""
    if cls.__name__ in classes:
        classes[cls.__name__] = cls
        of_table[cls.__name__].__module__ = "gyre.nn.table"  # where pickle finds it
    return cls


# The layers of the table in C++, and the classes of gyre.nn, where those with PyTorch's arguments take their places.
of_table = {definition.name: _class_of(definition) for definition in _nn.layers}
classes = dict(of_table)
