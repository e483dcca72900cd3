"""A class for each layer of the layer table, created on import; no layer is named here."""

from gyre._gyre import _nn
from gyre._options import Options, with_options
from gyre.nn.module import Module, Parameter, Tensor


class Layer(Module):
    """A layer of the table, implemented in C++. Its tensors are attributes (`layer.weight`), and so are its
    submodules (`block.attn`, or a list of them, `gpt.h`). Options are given by keyword or in the order of the
    table; an option whose name is a Python keyword has a trailing underscore (`in_`)."""

    _definition = None
    _options = Options("Layer", [])

    def _begin(self, core, given):
        self._hold(core)
        parts = {name: _part(inner) for name, inner in self._core_parts()}
        self.__dict__.update(_parts=parts, _given=given, _title=core.class_name)

    @property
    def options(self):
        """Its options by name; None for a submodule of another layer."""
        given = self._given or {}
        return {f["name"]: given.get(f["name"], f["default"]) for f in self._options.fields}

    @property
    def training(self):
        return self._core_training()

    @training.setter
    def training(self, mode):
        self._train_core(mode)

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
        super().__setattr__(name, value)

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
        if "_parts" not in self.__dict__:  # before __init__
            return ""
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
        state = {name: value for name, value in self.__dict__.items() if name not in ("_parts", "_given", "_title")}
        parts = list(self._layer_parts())
        state["_core"] = ([part.training for _, part in parts],
                          {prefix + name: tensor for prefix, part in parts
                           for name, tensor in part._core_tensors().items() if tensor is not None})
        return state

    def __setstate__(self, state):
        state = dict(state)
        modes, tensors = state.pop("_core")
        self._put(tensors)
        for mode, (_, part) in zip(modes, self._layer_parts()):
            part._train_core(mode)
        super().__setstate__(state)

    def __reduce__(self):
        if self._given is None:
            raise TypeError(f"{self._class_name()} is a part of a layer; copy the whole layer instead")
        return _blank_layer, (type(self), self._given), self.__getstate__()

    def __copy__(self):
        copy = _blank_layer(*self.__reduce__()[1])
        state = self.__getstate__()
        state["_kinds"] = dict(state["_kinds"])
        copy.__setstate__(state)
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


def _class_of(definition):
    options = Options(definition.name, definition.options)

    def __init__(self, *args, **kwargs):
        Module.__init__(self)
        given = options.bind(args, kwargs)
        self._begin(definition.make(given), given)

    with_options(__init__, options)
    __init__.__qualname__ = f"{definition.name}.__init__"
    return type(definition.name, (Layer,), {
        "__init__": __init__, "__doc__": _doc(definition, options), "__module__": "gyre.nn",
        "_definition": definition, "_options": options})


classes = {definition.name: _class_of(definition) for definition in _nn.layers}
