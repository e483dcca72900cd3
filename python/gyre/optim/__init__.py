"""Optimisers, one class per optimiser, and learning-rate schedules and schedulers, EMA, loss scaling
and gradient clipping.

    optimizer = gyre.optim.AdamW(model.parameters(), lr=1e-3)
    schedule = gyre.optim.Schedule(kind="cosine", lr=1e-3, warmup=100, steps=2000)
    for step, (x, y) in enumerate(batches):
        optimizer.lr = schedule(step)
        gyre.cross_entropy(model(x), y).backward()
        optimizer.step(clip=1.0)
        optimizer.zero_grad()

gyre.optim.lr_scheduler has PyTorch's schedulers, which set the rates of an optimiser step by step.
"""

import collections.abc
import contextlib
import difflib
import importlib
import reprlib
import warnings

from gyre._display import counted, named
from gyre._gyre import Tensor, _optim, enable_grad
from gyre._options import Options, with_options
from gyre.optim import lr_scheduler

StepResult = _optim.StepResult
__all__ = ["Ema", "LBFGS", "LossScale", "Optimizer", "ParameterGroup", "Schedule", "StepResult", "clip_grad_norm",
           "lr_scheduler", "schedules", "step_in_backward", "swa_utils"]


# Options that PyTorch passes together, as a tuple.
_TUPLES = {"betas": ("beta1", "beta2"), "etas": ("eta_minus", "eta_plus"), "step_sizes": ("min_step", "max_step"),
           "eps": ("eps1", "eps2"), "ns_coefficients": ("ns_a", "ns_b", "ns_c")}


class _OptimizerOptions(Options):
    """Options of an optimiser, also as PyTorch passes them."""

    _no_effect = {"foreach", "fused"}  # steps are always fused
    _refused = {"capturable": "leave it out: steps are not captured in graphs",
                "differentiable": "compose the update of ops and differentiate it with gyre.func.grad"}

    def __init__(self, owner, fields):
        super().__init__(owner, fields)
        self.tuples = {name: dict.fromkeys(parts).keys() for name, parts in _TUPLES.items()
                       if parts[0] in self._by_name}

    def bind(self, args, kwargs):
        given = {name: value for name, value in kwargs.items() if name not in self._no_effect}
        for name in self._refused.keys() & given.keys():
            if given.pop(name):
                raise ValueError(f"{self.owner}: expected {name}=False, got True; {self._refused[name]}")
        for name, parts in self.tuples.items():
            if name in given:
                values = given.pop(name)
                if parts & given.keys():
                    raise TypeError(f"{self.owner} got {name} and {' or '.join(parts)}")
                if not isinstance(values, (tuple, list)) or len(values) != len(parts):
                    raise TypeError(f"{self.owner}: expected {name}=({', '.join(parts)}), got {reprlib.repr(values)}")
                given |= zip(parts, values)
            place = [*self._by_name].index(next(iter(parts)))
            if any(isinstance(value, (tuple, list)) for value in args[place:place + 1]):
                args = (*args[:place], *args[place], *args[place + 1:])
        # None: an option's default in PyTorch, which has a number for it here
        return {name: value.item() if isinstance(value, Tensor) else value
                for name, value in super().bind(args, given).items()
                if value is not None or self.option(name) is None}

    def with_tuples(self, values):
        """The values, and the tuples of them that PyTorch has."""
        return values | {name: tuple(values[part] for part in parts) for name, parts in self.tuples.items()
                         if name not in values}

    def of_group(self, group):
        """The options in a parameter group, and the other items that a user keeps there."""
        options, others, known = {}, {}, [field["name"] for field in self.fields]
        for name, value in self.bind((), group).items():
            if name not in known and (meant := difflib.get_close_matches(name, known, 1, 0.85)):
                raise TypeError(f"{self.owner}: no option {name}; did you mean {meant[0]}?")
            (options if name in known else others)[name] = value
        return options, others


class ParameterGroup(collections.abc.MutableMapping):
    """Mapping of a parameter group's options by name, to get and set, and its "params". Items of other names are
    kept for the user. "betas" is the pair of beta1 and beta2."""

    def __init__(self, optimizer, number, params):
        self._optimizer, self._number, self._params = optimizer, number, params

    def __getitem__(self, name):
        if name == "params":
            return self._params
        return self._optimizer._options_of_class.with_tuples(self._optimizer._items(self._number))[name]

    def __setitem__(self, name, value):
        if name == "params":
            raise TypeError("the parameters of a group cannot be replaced; use add_param_group() to add more")
        self._optimizer._set_items({name: value}, self._number)

    def __delitem__(self, name):
        others = self._optimizer._others[self._number]
        if name not in others and name in self:
            raise TypeError(f"option {name} cannot be removed from a group")
        del others[name]

    def __iter__(self):
        return iter(["params", *self._optimizer._items(self._number)])

    def __len__(self):
        return 1 + len(self._optimizer._items(self._number))

    def __repr__(self):
        return f"ParameterGroup({self._optimizer._items(self._number)}, {counted(len(self._params), 'parameter')})"


class _Groups:
    """What optimisers with parameter groups have in common. A class has _options_of_class, _defaults, and the items that
    users add to the groups, _others."""

    @property
    def param_groups(self):
        """The parameter groups, whose options can be read and set: `optimizer.param_groups[1]["lr"] = 0.1`."""
        return [ParameterGroup(self, number, params) for number, params in enumerate(self._params())]

    @property
    def defaults(self):
        """The options of groups that are added without options."""
        return self._options_of_class.with_tuples(self._options_of_class.defaults() | self._defaults)

    def _params(self):
        return self._objects(self._given)

    def _items(self, number):
        return {**self._options(number), **self._others[number]}

    def _set_items(self, items, number):
        options, others = self._options_of_class.of_group(items)
        self._set_options(options, number)
        self._others[number].update(others)

    @property
    def lr(self):
        """Learning rate of the first group; setting it sets all groups."""
        return self._lr(0)

    @lr.setter
    def lr(self, rate):
        self._set_lr(rate)

    def state_dict(self):
        """{"state": tensors by name, which are shared, "param_groups": options and other items of each group, with the
        numbers of its parameters as "params"}."""
        groups, first = [], 0
        for number, params in enumerate(self._params()):
            groups.append({**self._items(number), "params": [*range(first, first + len(params))]})
            first += len(params)
        return {"state": self._state(), "param_groups": groups}

    def load_state_dict(self, state):
        """Restores the result of state_dict(). The optimiser must have the same groups with the same shapes;
        otherwise an error is raised and nothing changes."""
        if not isinstance(state, dict) or not {"param_groups", "state"} <= state.keys():
            raise ValueError("load_state_dict: expected the result of state_dict()")
        groups, before = state["param_groups"], self.state_dict()
        own = len(before["param_groups"])
        if len(groups) != own:
            raise ValueError(f"expected a state with {own} groups, got {len(groups)}")
        try:
            self._set_all(groups)
            self._load_state(state["state"])
        except Exception:
            self._set_all(before["param_groups"])
            self._load_state(before["state"])
            raise

    def _set_all(self, groups):
        for number, items in enumerate(groups):
            self._others[number] = {}
            self._set_items({name: value for name, value in items.items() if name != "params"}, number)

    def __repr__(self):
        lines = []
        for number, params in enumerate(self._params()):
            elements = counted(sum(p.numel() for p in params), "element")
            lines += [f"Parameter Group {number}: {counted(len(params), 'parameter')}, {elements}",
                      *(f"    {name}: {value!r}" for name, value in self._items(number).items())]
        return "\n".join([f"{type(self).__name__} (", *lines, ")"])


class Optimizer(_Groups, _optim.Optimizer):
    """Base class of optimisers: Optimizer(params, **options). `params` are tensors that require gradients, pairs of a
    name and a tensor, or dicts of "params" and options (parameter groups); omitted options of a group are those of the
    call. As in PyTorch, betas=(b1, b2) sets beta1 and beta2."""

    _definition = None
    _options_of_class = _OptimizerOptions("Optimizer", [])
    _defaults = {}
    _warned = frozenset()

    def add_param_group(self, group):
        """Adds a parameter group: a dict of "params" and options; omitted options are those of the
        optimiser."""
        items = dict(group)
        if "params" not in items:
            raise ValueError("expected a group that is a dict with \"params\"")
        params = _tensors(items.pop("params"))
        options, others = self._options_of_class.of_group(items)
        self._add_group(params, {**self._defaults, **options})
        self._given.append(params)
        self._others.append(others)

    def zero_grad(self, set_to_none=True):
        """Sets the gradients of all parameters to None, or to 0 in place."""
        if set_to_none:
            return super().zero_grad()
        for params in self._params():
            for p in params:
                if p.grad is not None:
                    p.grad.fill_(0)

    def step(self, closure=None, **options):
        """Updates the parameters that have a gradient, and returns a StepResult. A `closure` computes the gradients
        first; the result is then what it returns, the loss. Warns once when a step is skipped because of gradients
        that are not finite (except with `scale`, as loss scaling expects), and once when no parameter has a
        gradient."""
        if closure is not None:
            with enable_grad():
                loss = closure()
        if not self._follow() and "gradients" not in self._warned:
            self._warn("gradients", "no parameter of this optimiser has a gradient; create the optimiser after "
                                    "replacing weights")
        result = self._told(super().step(**options), options)
        return result if closure is None else loss

    def apply_gradients(self, gradients, parameters, **options):
        """Updates the parameters by gradients by name, as gyre.nn.value_and_grad returns them, in place of their
        grad, which is neither read nor changed. `parameters` is the module, or a dict of its parameters by name.
        Options, warnings and result as for step()."""
        return self._told(super().apply_gradients(gradients, parameters, **options), options)

    def _told(self, result, options):
        if "skipped" not in self._warned and "scale" not in options and not result.applied:
            self._warn("skipped", "a step was skipped: the gradients are not finite, so training may have diverged "
                                  "(lower the learning rate, or clip); later skipped steps are not reported", stacklevel=4)
        return result

    def _warn(self, kind, message, stacklevel=3):
        self._warned = self._warned | {kind}
        warnings.warn(message, UserWarning, stacklevel=stacklevel)


def _tensors(params):
    if callable(getattr(params, "parameters", None)):
        raise TypeError(f"expected parameters, got {type(params).__name__}; pass its parameters()")
    if isinstance(params, Tensor):
        return [params]
    return [item[1] if isinstance(item, tuple) and len(item) == 2 else item for item in params]  # named_parameters()


def _groups_of(params):
    items = _tensors(params)
    if any(isinstance(item, dict) for item in items):
        if not all(isinstance(item, dict) and "params" in item for item in items):
            raise TypeError("expected parameters that are all tensors or all dicts with \"params\"")
        return [dict(item) for item in items]
    return [{"params": items}]


def _class_of(definition):
    options = _OptimizerOptions(definition.class_name, definition.options)

    def __init__(self, params, *args, **kwargs):
        defaults = options.bind(args, kwargs)
        first, *others = _groups_of(params) or [{"params": []}]
        tensors = _tensors(first.pop("params"))
        own, kept = options.of_group(first)
        _optim.Optimizer.__init__(self, definition, tensors, {**defaults, **own})
        self._defaults, self._others, self._given = defaults, [kept], [tensors]
        for group in others:
            self.add_param_group(group)

    with_options(__init__, options)
    __init__.__qualname__ = f"{definition.class_name}.__init__"
    return type(definition.class_name, (Optimizer,), {
        "__init__": __init__, "__doc__": f"{definition.doc}\n\nOptions:\n{options.describe()}",
        "__module__": "gyre.optim", "_definition": definition, "_options_of_class": options})


def __getattr__(name):
    if name == "swa_utils":  # which needs gyre.nn
        return importlib.import_module("gyre.optim.swa_utils")
    raise AttributeError(f"module gyre.optim has no attribute {name}")


for _definition in _optim.optimizers:
    globals()[_definition.class_name] = _class_of(_definition)
    __all__.append(_definition.class_name)


class LBFGS(_Groups, _optim.Lbfgs):
    """Limited-memory BFGS with one parameter group, for smooth losses of whole datasets (Liu and Nocedal 1989)."""

    _options_of_class = _OptimizerOptions("LBFGS", _optim.lbfgs_options)

    def __init__(self, params, *args, **kwargs):
        self._defaults = self._options_of_class.bind(args, kwargs)
        groups = _groups_of(params)
        if len(groups) != 1:
            raise ValueError(f"LBFGS: expected one parameter group, got {len(groups)}")
        options, others = self._options_of_class.of_group({k: v for k, v in groups[0].items() if k != "params"})
        self._given, self._others = [_tensors(groups[0]["params"])], [others]
        super().__init__(self._given[0], {**self._defaults, **options})

    def step(self, closure):
        """Up to max_iter iterations, each with one or more calls of `closure`, which clears the gradients, computes
        the loss and its gradients, and returns the loss. Returns the first loss."""
        losses = []

        def evaluate():
            with enable_grad():
                losses.append(closure())
            return losses[-1]

        super().step(evaluate)
        return losses[0]

    def zero_grad(self, set_to_none=True):
        """Sets the gradients of all parameters to None, or to 0 in place."""
        for p in self._params()[0]:
            if set_to_none:
                p.grad = None
            elif p.grad is not None:
                p.grad.fill_(0)

    def _lr(self, number):
        return self._options(number)["lr"]

    def _set_lr(self, rate):
        self._set_options({"lr": rate}, 0)


with_options(LBFGS.__init__, LBFGS._options_of_class)
LBFGS.__doc__ += f"\n\nOptions:\n{LBFGS._options_of_class.describe()}"
_schedule, _ema, _loss_scale = (Options("Schedule", _optim.schedule_options), Options("Ema", _optim.ema_options),
                                Options("LossScale", _optim.loss_scale_options))


class Schedule(_optim.Schedule):
    """Learning-rate schedule: schedule(step) is the rate at step 0, 1, ... Linear warm-up, then the schedule
    given by `kind`."""

    def __init__(self, *args, **kwargs):
        super().__init__(_schedule.bind(args, kwargs))

    def __repr__(self):
        return f"Schedule({_schedule.changed(self.options, ('kind', 'lr'))})"


class Ema(_optim.Ema):
    """Exponential moving average (EMA) of the tensors of a model (a module or a dict of tensors), which often
    generalises better than the last values. Call update() after each step of the optimiser."""

    def __init__(self, model, *args, **kwargs):
        self._given = _ema.bind(args, kwargs)
        super().__init__(model, self._given)

    def __repr__(self):
        return f"Ema({named(**_ema.defaults() | self._given, updates=self.updates)})"

    @contextlib.contextmanager
    def applied(self):
        """`with ema.applied():` the model holds the averages; its own values are restored afterwards. ValueError
        within another such block."""
        if self.swapped:
            raise ValueError("ema: the averages are already in the model")
        self.swap()
        try:
            yield self
        finally:
            self.swap()


class LossScale(_optim.LossScale):
    """Dynamic loss scaling, which keeps gradients in the range of f16:

        (loss * scale.scale).backward()
        scale.update(optimizer.step(scale=1 / scale.scale).applied)
    """

    def __init__(self, *args, **kwargs):
        super().__init__(_loss_scale.bind(args, kwargs))

    def __repr__(self):
        return f"LossScale({named(scale=self.scale)})"


for _class, _known in ((Schedule, _schedule), (Ema, _ema), (LossScale, _loss_scale)):
    with_options(_class.__init__, _known)
    _class.__doc__ += f"\n\nOptions:\n{_known.describe()}"


class schedules:
    """Functions that create a Schedule of each kind: schedules.KIND(**options)."""


def _schedule_of(kind):
    def make(**options):
        return Schedule(kind=kind, **options)

    make.__name__, make.__doc__ = kind, f"Schedule(kind={kind!r}, **options)"
    return make


for _field in _optim.schedule_options:
    for _kind in _field["choices"]:
        setattr(schedules, _kind, staticmethod(_schedule_of(_kind)))


def clip_grad_norm(parameters, max_norm, non_finite="skip"):
    """Clips the norm of the gradients of `parameters` to `max_norm` in place and returns the norm before
    clipping. For non-finite gradients, `non_finite` selects: skip and apply leave them unchanged, zero treats
    their non-finite elements as 0, raise raises NumericError. `optimizer.step(clip=...)` does the same in the
    same pass as the step."""
    return _optim.clip_grad_norm(_tensors(parameters), max_norm, non_finite)


def step_in_backward(optimizer):
    """`with gyre.optim.step_in_backward(optimizer):` updates each parameter during backward as soon as its
    gradient is complete, then frees the gradient. Gradient clipping is not possible."""
    return _optim.StepInBackward(optimizer)


