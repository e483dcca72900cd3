"""Layers that learn the size of their input at the first call, and are the ordinary layers from then on."""

import inspect

from gyre.nn.module import Module


def _lazy(base, axis, usual):
    """The lazy form of a class; its input size is that of an axis of the first input, and `usual` are defaults."""
    first, *rest = inspect.signature(base).parameters.values()
    signature = inspect.Signature([p.replace(default=usual.get(p.name, p.default)) for p in rest])

    class Lazy(base):
        def __init__(self, *args, **kwargs):
            Module.__init__(self)
            bound = signature.bind(*args, **kwargs)
            self.__dict__.update(_shown=(args, kwargs), _mode=True, _casts=[])
            bound.apply_defaults()
            self.__dict__["_awaited"] = bound.args, bound.kwargs

        def to(self, *args, **kwargs):
            self._casts.append((args, kwargs))
            return self

        def forward(self, input, *inputs, **named):
            training, casts, (args, kwargs) = self.training, self._casts, self._awaited
            for name in ("_shown", "_casts", "_awaited"):
                del self.__dict__[name]
            self.__class__ = base
            base.__init__(self, input.shape[axis], *args, **kwargs)
            for given, options in casts:
                self.to(*given, **options)
            self.train(training)
            return base.forward(self, input, *inputs, **named)

        def extra_repr(self):
            args, kwargs = self.__dict__.get("_shown", ((), {}))
            return ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])

    Lazy.__name__ = Lazy.__qualname__ = f"Lazy{base.__name__}"
    Lazy.__signature__ = signature
    Lazy.__doc__ = f"{base.__name__} whose {first.name.rstrip('_')} is the size of its first input. Create optimisers " \
                   "and load states after the first call."
    Lazy.__module__ = "gyre.nn"
    return Lazy


def lazy_layers(known):
    """The lazy forms of the layers that PyTorch has them of."""
    axes = {"Linear": -1, **{f"BatchNorm{n}d": 1 for n in (1, 2, 3)}}
    axes.update((f"{name}{n}d", -n - 1) for name in ("Conv", "ConvTranspose", "InstanceNorm") for n in (1, 2, 3))
    tracked = {"affine": True, "track_running_stats": True}
    return {f"Lazy{name}": _lazy(known[name], axis, tracked if name.startswith("Instance") else {})
            for name, axis in axes.items()}
