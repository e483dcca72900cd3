"""Optimisers: a class for each of gyre's table, made when this is imported, and what goes with them.

    optimizer = gyre.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = gyre.optim.Schedule(kind="cosine", lr=1e-3, warmup=100, steps=2000)
    for step, (x, y) in enumerate(batches):
        optimizer.lr = schedule(step)
        gyre.cross_entropy(model(x), y).backward()
        optimizer.step(clip=1.0)
        optimizer.zero_grad()
"""

import collections.abc
import contextlib

from gyre._gyre import Tensor, _optim
from gyre._options import Options, with_options

StepResult = _optim.StepResult
__all__ = ["Ema", "LossScale", "Optimizer", "ParameterGroup", "Schedule", "StepResult", "clip_grad_norm", "schedules",
           "step_in_backward"]


class ParameterGroup(collections.abc.MutableMapping):
    """Options of a group of an optimiser by name, to be read and set, and its "params"."""

    def __init__(self, optimizer, number, params):
        self._optimizer, self._number, self._params = optimizer, number, params

    def __getitem__(self, name):
        return self._params if name == "params" else self._optimizer._options(self._number)[name]

    def __setitem__(self, name, value):
        if name == "params":
            raise TypeError("the parameters of a group stay; add_param_group() takes more")
        self._optimizer._set_options({name: value}, self._number)

    def __delitem__(self, name):
        raise TypeError(f"an optimiser keeps its option {name}")

    def __iter__(self):
        return iter(["params", *self._optimizer._options(self._number)])

    def __len__(self):
        return 1 + len(self._optimizer._options(self._number))

    def __repr__(self):
        return f"ParameterGroup({dict(self._optimizer._options(self._number))}, {len(self._params)} parameters)"


class Optimizer(_optim.Optimizer):
    """An optimiser of the table: Optimizer(params, **options). `params` are tensors that require
    gradients, or dicts of "params" and options of their own: groups, whose other options are those of
    the call."""

    _definition = None
    _options_of_class = Options("Optimizer", [])
    _groups, _defaults = (), {}

    @property
    def param_groups(self):
        """The groups, whose options can be read and set: `optimizer.param_groups[1]["lr"] = 0.1`."""
        return [ParameterGroup(self, number, params) for number, params in enumerate(self._groups)]

    def add_param_group(self, group):
        """One more group: a dict of "params" and options; others are those of the call."""
        options = dict(group)
        if "params" not in options:
            raise ValueError("a group is a dict with \"params\"")
        params = _tensors(options.pop("params"))
        self._add_group(params, {**self._defaults, **options})
        self._groups.append(params)

    @property
    def lr(self):
        """The learning rate, of the first group; set for all. Others are in param_groups."""
        return self._lr(0)

    @lr.setter
    def lr(self, rate):
        self._set_lr(rate)

    def state_dict(self):
        """{"state": tensors by name, which are shared, "groups": options of each}."""
        return {"state": self._state(), "groups": [self._options(g) for g in range(len(self._groups))]}

    def load_state_dict(self, state):
        """Sets what state_dict() gave. The optimiser must have the same groups of the same shapes; if
        not, an error, and nothing has changed."""
        groups, before = state["groups"], self.state_dict()
        if len(groups) != len(self._groups):
            raise ValueError(f"the state has {len(groups)} groups, the optimiser {len(self._groups)}")
        try:
            self._set_all(groups)
            self._load_state(state["state"])
        except Exception:
            self._set_all(before["groups"])
            self._load_state(before["state"])
            raise

    def _set_all(self, groups):
        for number, options in enumerate(groups):
            self._set_options(dict(options), number)

    def __repr__(self):
        groups = "".join(f"\n  {len(params)} parameters, {self._options_of_class.changed(self._options(number))}"
                         for number, params in enumerate(self._groups))
        return f"{type(self).__name__}({groups}\n)"


def _tensors(params):
    return [params] if isinstance(params, Tensor) else list(params)


def _groups_of(params):
    items = _tensors(params)
    if any(isinstance(item, dict) for item in items):
        if not all(isinstance(item, dict) and "params" in item for item in items):
            raise TypeError("parameters are all tensors, or all dicts with \"params\"")
        return [dict(item) for item in items]
    return [{"params": items}]


def _class_of(definition):
    options = Options(definition.class_name, definition.options)

    def __init__(self, params, *args, **kwargs):
        defaults = options.bind(args, kwargs)
        first, *others = _groups_of(params) or [{"params": []}]
        tensors = _tensors(first.pop("params"))
        _optim.Optimizer.__init__(self, definition, tensors, {**defaults, **first})
        self._defaults, self._groups = defaults, [tensors]
        for group in others:
            self.add_param_group(group)

    with_options(__init__, options)
    __init__.__qualname__ = f"{definition.class_name}.__init__"
    return type(definition.class_name, (Optimizer,), {
        "__init__": __init__, "__doc__": f"{definition.doc}\n\nOptions:\n{options.describe()}",
        "__module__": "gyre.optim", "_definition": definition, "_options_of_class": options})


for _definition in _optim.optimizers:
    globals()[_definition.class_name] = _class_of(_definition)
    __all__.append(_definition.class_name)


_schedule, _ema, _loss_scale = (Options("Schedule", _optim.schedule_options), Options("Ema", _optim.ema_options),
                                Options("LossScale", _optim.loss_scale_options))


class Schedule(_optim.Schedule):
    """A learning rate over the steps: schedule(step) for step 0, 1, ... After warm-up it goes on as
    `kind` says."""

    def __init__(self, *args, **kwargs):
        super().__init__(_schedule.bind(args, kwargs))

    def __repr__(self):
        return f"Schedule({_schedule.changed(self.options)})"


class Ema(_optim.Ema):
    """Running averages of the values of a model (a module, or a dict of tensors), which often generalise
    better than the last ones: update() after each step of the optimiser."""

    def __init__(self, model, *args, **kwargs):
        super().__init__(model, _ema.bind(args, kwargs))

    @contextlib.contextmanager
    def applied(self):
        """`with ema.applied():` the averages are in the model."""
        self.swap()
        try:
            yield self
        finally:
            self.swap()


class LossScale(_optim.LossScale):
    """The factor of the loss that keeps gradients in the range of f16, found as one goes:

        (loss * scale.scale).backward()
        scale.update(optimizer.step(scale=1 / scale.scale).applied)
    """

    def __init__(self, *args, **kwargs):
        super().__init__(_loss_scale.bind(args, kwargs))


for _class, _known in ((Schedule, _schedule), (Ema, _ema), (LossScale, _loss_scale)):
    with_options(_class.__init__, _known)
    _class.__doc__ += f"\n\nOptions:\n{_known.describe()}"


class schedules:
    """A function for each kind of Schedule: schedules.KIND(**options)."""


def _schedule_of(kind):
    def make(**options):
        return Schedule(kind=kind, **options)

    make.__name__, make.__doc__ = kind, f"Schedule(kind={kind!r}, **options)"
    return make


for _field in _optim.schedule_options:
    for _kind in _field["choices"]:
        setattr(schedules, _kind, staticmethod(_schedule_of(_kind)))


def clip_grad_norm(parameters, max_norm, non_finite="skip"):
    """Scales the gradients of `parameters` so that their norm is at most `max_norm`, and gives the norm
    that they had. What is done where it is not finite: skip and apply leave the gradients, zero counts
    such elements as 0, raise is a NumericError. `optimizer.step(clip=...)` does the same in its own pass."""
    return _optim.clip_grad_norm(_tensors(parameters), max_norm, non_finite)


def step_in_backward(optimizer):
    """`with gyre.optim.step_in_backward(optimizer):` each backward steps a parameter as soon as its
    gradient is whole, and drops the gradient. Nothing can be clipped then."""
    return _optim.StepInBackward(optimizer)


