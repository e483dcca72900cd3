"""Parametrizations with PyTorch's names: a parameter or buffer of a module that is a function of other parameters.

    class Symmetric(gyre.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).T

    layer = gyre.nn.Linear(3, 3)
    register_parametrization(layer, "weight", Symmetric())  # layer.weight is symmetric from now on
"""

import contextlib

import gyre
from gyre._gyre import Tensor
from gyre.nn.computed import class_before, compute, computed, own_tensor, restore
from gyre.nn.containers import ModuleDict, ModuleList
from gyre.nn.module import Module, Parameter

__all__ = ["ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
           "type_before_parametrizations"]


class _Cache:
    """Values of parametrizations inside of cached()."""

    def __init__(self):
        self.depth, self.values = 0, {}

    def value(self, key, make):
        if not self.depth:
            return make()
        if key not in self.values:
            self.values[key] = make()
        return self.values[key]


_cache = _Cache()


@contextlib.contextmanager
def cached():
    """Context manager inside of which each parametrized tensor is computed once, at its first read."""
    _cache.depth += 1
    try:
        yield
    finally:
        _cache.depth -= 1
        if not _cache.depth:
            _cache.values.clear()


class _Parametrized:
    """A computed tensor: the result of the module's parametrizations of that name."""

    def __init__(self, name):
        self.name = name

    def value(self, module):
        return _cache.value((id(module), self.name), module.parametrizations[self.name])

    def assign(self, module, value):
        module.parametrizations[self.name].right_inverse(value)
        _cache.values.pop((id(module), self.name), None)


def _require_same(x, original, what):
    if not isinstance(x, Tensor):
        raise ValueError(f"{what}: expected a gyre.Tensor, got {type(x).__name__}; pass unsafe=True to skip checks")
    if (x.shape, x.dtype) != (original.shape, original.dtype):
        raise ValueError(f"{what}: expected shape {list(original.shape)} and {original.dtype.name}, got {list(x.shape)} and "
                         f"{x.dtype.name}; pass unsafe=True to allow it")


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, the first of which gets `original`, or original0, original1, ... if its
    right_inverse() returns several tensors."""

    def __init__(self, modules, original, unsafe=False):
        super().__init__(modules)
        if not len(self):
            raise ValueError("ParametrizationList: expected one or more parametrizations")
        inverse = self._inverse(original)
        self.unsafe, self.is_tensor = unsafe, isinstance(inverse, Tensor)
        values = [inverse] if self.is_tensor else inverse
        if not isinstance(values, (list, tuple)) or not all(isinstance(v, Tensor) for v in values):
            raise ValueError(f"right_inverse: expected a tensor or a sequence of tensors, got {type(inverse).__name__}")
        self.ntensors = len(values)
        if self.is_tensor and inverse.shape == original.shape and isinstance(original, Parameter):
            with gyre.no_grad():  # existing optimisers keep the parameter
                values = [original.copy_(inverse)]
        for name, value in zip(self._names(), values):
            if not isinstance(original, Parameter):
                self.register_buffer(name, value)
            elif isinstance(value, Parameter):
                setattr(self, name, value)
            else:
                setattr(self, name, Parameter(value, requires_grad=original.requires_grad))
        if not unsafe:
            _require_same(self(), original, "parametrization")

    def _names(self):
        return ["original"] if self.is_tensor else [f"original{k}" for k in range(self.ntensors)]

    def _like(self, members):
        return ModuleList(members)

    def _inverse(self, value):
        with gyre.no_grad():
            for module in reversed([*self]):
                if hasattr(module, "right_inverse"):
                    with contextlib.suppress(NotImplementedError):
                        value = module.right_inverse(value)
        return value

    def right_inverse(self, value):
        """Sets the original tensors so that the result is `value`, as far as the parametrizations have a
        right_inverse()."""
        if missing := [type(m).__name__ for m in self if not hasattr(m, "right_inverse")]:
            raise RuntimeError(f"cannot assign a parametrized tensor: {missing[0]} has no right_inverse()")
        with gyre.no_grad():
            for module in reversed([*self]):
                value = module.right_inverse(value)
            values = [value] if self.is_tensor else value
            if not isinstance(values, (list, tuple)) or len(values) != self.ntensors:
                raise ValueError(f"right_inverse: expected {self.ntensors} tensors, got {type(value).__name__}")
            for name, own in zip(self._names(), values):
                _require_same(own, getattr(self, name), "right_inverse")
                getattr(self, name).copy_(own)

    def forward(self):
        """The parametrized tensor."""
        first, *others = self
        x = first(*(getattr(self, name) for name in self._names()))
        for module in others:
            x = module(x)
        return x


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Makes a tensor of the module the result of parametrization(original), after the parametrizations that it has
    already. An optional method right_inverse() gives the original for a value, and is called with the present one.
    Unless `unsafe`, the result must have the shape and dtype of the original. Returns the module."""
    if not isinstance(parametrization, Module):
        raise TypeError(f"parametrization: expected a gyre.nn.Module, got {type(parametrization).__name__}")
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        present = module.parametrizations[tensor_name]
        if not unsafe:
            with gyre.no_grad():
                value = present()
                result = parametrization(value)
                _require_same(result, value, "parametrization")
                if hasattr(parametrization, "right_inverse"):
                    _require_same(parametrization.right_inverse(result), value, "right_inverse")
        present.append(parametrization)
        present.unsafe = present.unsafe or unsafe
        return module
    original = own_tensor(module, tensor_name)
    listed = ParametrizationList([parametrization], original, unsafe)
    before = class_before(module)
    compute(module, tensor_name, _Parametrized(tensor_name), f"Parametrized{before.__name__}")
    if "parametrizations" not in module._kinds:
        module.parametrizations = ModuleDict()
    module.parametrizations[tensor_name] = listed
    return module


def is_parametrized(module, tensor_name=None):
    """Whether the module has parametrizations, of that tensor if a name is given."""
    names = [name for name, how in computed(module).items() if isinstance(how, _Parametrized)]
    return bool(names) if tensor_name is None else tensor_name in names


def type_before_parametrizations(module):
    """The class of the module, without parametrizations."""
    return class_before(module)


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Makes a parametrized tensor an ordinary one: with its present value, or with the original one unless
    leave_parametrized. Returns the module."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"remove_parametrizations: {type(module).__name__} has no parametrization of {tensor_name!r}")
    listed = module.parametrizations[tensor_name]
    if not leave_parametrized and not listed.is_tensor:
        raise ValueError("remove_parametrizations: expected leave_parametrized=True, since the original is "
                         f"{listed.ntensors} tensors")
    first = getattr(listed, listed._names()[0])
    tensor = _final(first, listed(), listed.is_tensor) if leave_parametrized else first
    del module.parametrizations[tensor_name]
    if not len(module.parametrizations):
        del module.parametrizations
    restore(module, tensor_name, tensor)
    return module


def _final(original, value, alone):
    if not isinstance(original, Parameter):
        return value.detach()
    if alone and original.shape == value.shape:
        with gyre.no_grad():
            return original.copy_(value)
    return Parameter(value.detach(), requires_grad=original.requires_grad)
