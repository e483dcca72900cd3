"""A manifold whose distances are multiplied by a scale."""

import abc
import functools
import inspect

import torch

from gyre.torch.geoopt.manifolds.base import Manifold, ScalingInfo
from gyre.torch.geoopt.utils import canonical_manifold

__all__ = ["Scaled"]

_OWN = {"_scale", "_log_scale"}  # never those of a base that is itself Scaled


class Scaled(Manifold):
    """A manifold with distances times `scale`, and tangent vectors in these units. It has all methods of the base
    manifold; scale may be learned."""

    name = "Scaled"
    reversible = property(lambda self: self.base.reversible)
    ndim = property(lambda self: self.base.ndim)
    __scaling__ = property(lambda self: self.base.__scaling__)

    def __init__(self, manifold, scale=1.0, learnable=False):
        super().__init__()
        self.base = manifold
        scale = torch.as_tensor(scale, dtype=torch.get_default_dtype()).detach()
        self.register_buffer("_scale", None if learnable else scale)
        self.register_parameter("_log_scale", torch.nn.Parameter(scale.log()) if learnable else None)

    @property
    def scale(self):
        return self._log_scale.exp() if self._scale is None else self._scale

    @property
    def log_scale(self):
        return self._scale.log() if self._log_scale is None else self._log_scale

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            base = self.__dict__.get("_modules", {}).get("base")
            if base is None or name.startswith("__") or name in _OWN:
                raise
        value = getattr(base, name)
        return functools.partial(_rescaled, self, name) if name in self.__scaling__ else value

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self.base)})

    def __repr__(self):
        extra = self.base.extra_repr()
        return f"{self.name}({self.base.name}){f'({extra})' if extra else ''} manifold"

    def _check_shape(self, shape, name):
        return self.base._check_shape(shape, name)

    def _check_point_on_manifold(self, x, *, atol=1e-5, rtol=1e-5):
        return self.base._check_point_on_manifold(x, atol=atol, rtol=rtol)

    def _check_vector_on_tangent(self, x, u, *, atol=1e-5, rtol=1e-5):
        return self.base._check_vector_on_tangent(x, u, atol=atol, rtol=rtol)


def _rescaled(manifold, method, *args, **kwargs):
    """A method of the base manifold, with arguments and results in the units of the scaled one."""
    info = manifold.__scaling__.get(method, ScalingInfo())
    if info is ScalingInfo.NotCompatible:
        raise NotImplementedError(f"Scaled version of '{method}' is not available; call it on {manifold.base!r}")
    if info.kwargs:
        bound = inspect.signature(getattr(canonical_manifold(manifold), method)).bind(*args, **kwargs)
        bound.apply_defaults()
        for name, power in info.kwargs.items():
            bound.arguments[name] = bound.arguments[name] * manifold.scale ** power
        args, kwargs = bound.args, bound.kwargs
    result = getattr(manifold.base, method)(*args, **kwargs)
    if info.results and isinstance(result, tuple):
        powers = (*info.results, *[0] * len(result))
        return tuple(part * manifold.scale ** power for part, power in zip(result, powers))
    if info.results:
        return result * manifold.scale ** info.results[0]
    return manifold._points(result) if getattr(result, "manifold", None) is manifold.base else result


def _method(name):
    def method(self, *args, **kwargs):
        return _rescaled(self, name, *args, **kwargs)

    method.__name__, method.__doc__ = name, getattr(Manifold, name).__doc__
    method.__qualname__ = f"Scaled.{name}"
    return method


# The methods that a Manifold has; __getattr__ finds those that only the base manifold has.
for _name in (*Manifold.__scaling__, "component_inner", "egrad2rgrad", "inner", "norm", "origin", "pack_point", "proju",
              "projx", "random", "transp", "unpack_tensor"):
    setattr(Scaled, _name, _method(_name))
abc.update_abstractmethods(Scaled)
