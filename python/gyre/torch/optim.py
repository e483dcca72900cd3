"""gyre's optimisers for PyTorch: a torch.optim.Optimizer for each of the optimiser table.

    optimizer = gyre.torch.optim.RiemannianAdam(model.parameters(), lr=1e-2)

They update the memory of PyTorch's tensors. Riemannian optimisers move each
gyre.torch.hyperbolic.ManifoldParameter along its manifold; other optimisers refuse it.
"""

import torch

import gyre
import gyre.optim
from gyre._gyre import _hyperbolic, _optim
from gyre._options import Options, with_options

__all__ = ["Optimizer"]


class Optimizer(torch.optim.Optimizer):
    """An optimiser of the table on PyTorch's parameters, in groups with their own options."""

    _class = None  # the class in gyre.optim

    def __init__(self, params, defaults):
        self._gyre, self._memory = None, ()
        super().__init__(params, defaults)
        self._take(self._made([_given(group) for group in self.param_groups]))

    def _parameters(self):
        return [p for group in self.param_groups for p in group["params"]]

    def _made(self, options):
        """gyre's optimiser over the current memory of the parameters, with the options of each group."""
        return type(self)._class([{**self._known(given), "params": [_leaf(p) for p in group["params"]]}
                                  for given, group in zip(options, self.param_groups)])

    def _known(self, options):
        """The options; TypeError for one that the optimiser does not have."""
        foreign = sorted(options.keys() - {f["name"] for f in self._class._definition.options} - {"betas"})
        if foreign:
            raise TypeError(f"{type(self).__name__} has no option {foreign[0]}")
        return options

    def _take(self, made):
        self._gyre, self._memory = made, [_places(p) for p in self._parameters()]

    def add_param_group(self, group):
        super().add_param_group(group)
        if self._gyre is None:  # the first groups are added one by one
            return
        added = self.param_groups[-1]
        try:
            self._gyre.add_param_group({**self._known(_given(added)), "params": [_leaf(p) for p in added["params"]]})
        except Exception:
            self.param_groups.pop()
            raise
        self._memory += [_places(p) for p in added["params"]]

    def _rebuild(self):
        """Updates gyre's optimiser to the current memory and dtypes of the parameters."""
        for number, group in enumerate(self.param_groups):  # which adds and drops state
            self._gyre._set_options(_options(group), number)
        made = self._made([_options(group) for group in self.param_groups])
        leaves = [leaf for group in made.param_groups for leaf in group["params"]]
        state = {}
        for name, tensor in self._gyre._state().items():
            kind, _, number = name.rpartition(".")
            if kind:
                half = leaves[int(number)].dtype in (gyre.f16, gyre.bf16)
                if kind == "master" and not half:
                    continue
                tensor = tensor.to(gyre.f32 if half else leaves[int(number)].dtype)
            state[name] = tensor
        made._load_state(state)
        self._take(made)

    def __setstate__(self, state):
        """A deep copy with its own memory."""
        super().__setstate__(state)
        self._gyre, self._memory = None, ()
        if self.param_groups:
            self.load_state_dict(self.state_dict())

    @torch.no_grad()
    def step(self, closure=None):
        """Updates the parameters that have a gradient. `closure` recomputes and returns the loss."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        parameters = self._parameters()
        if self._memory != [_places(p) for p in parameters]:
            self._rebuild()
        for number, group in enumerate(self.param_groups):
            self._gyre._set_options(_options(group), number)
        leaves = [leaf for group in self._gyre.param_groups for leaf in group["params"]]
        for p, leaf in zip(parameters, leaves):
            leaf.grad = None if p.grad is None else gyre.from_torch(p.grad.contiguous())
        self._gyre.step(non_finite="apply")
        for p in parameters:
            if p.grad is not None:
                torch.autograd.graph.increment_version(p)
        self._publish(parameters)
        return loss

    def _publish(self, parameters):
        """`state` in PyTorch's format: tensors of each parameter by name, sharing gyre's memory."""
        state = self._gyre._state()
        steps = state.pop("steps").tolist()
        self.state.clear()
        for p, step in zip(parameters, steps):
            if step:
                self.state[p] = {"step": step}
        for name, tensor in state.items():
            kind, _, number = name.rpartition(".")
            if steps[int(number)]:
                self.state[parameters[int(number)]][kind] = torch.from_dlpack(tensor.detach())

    def load_state_dict(self, state_dict):
        """Restores the result of state_dict(); dtypes do not change. The groups must have the same sizes and
        options, the parameters the same shapes; otherwise an error is raised and nothing changes."""
        groups = state_dict["param_groups"]
        if [len(g["params"]) for g in groups] != [len(g["params"]) for g in self.param_groups]:
            raise ValueError("expected a state with the same parameter groups as the optimiser")
        saved = [{name: value for name, value in g.items() if name != "params"} for g in groups]
        for group, values in zip(self.param_groups, saved):
            foreign = sorted(values.keys() - group.keys() - _OF_THE_TABLE - _OF_PYTORCH - _OF_SCHEDULERS)
            if foreign:
                raise TypeError(f"{type(self).__name__} has no option {foreign[0]}")
        made = self._made([_options({**group, **values}) for group, values in zip(self.param_groups, saved)])
        state = made._state()
        numbers = [number for group in groups for number in group["params"]]
        steps = [0] * len(numbers)
        for place, number in enumerate(numbers):
            for kind, value in state_dict["state"].get(number, {}).items():
                if kind == "step":
                    steps[place] = int(value)
                else:
                    state[f"{kind}.{place}"] = gyre.from_torch(value.contiguous())
        state["steps"] = gyre.tensor(steps, dtype="i64")
        made._load_state(state)
        for group, values in zip(self.param_groups, saved):
            group.update(values)
        self._take(made)
        self._publish(self._parameters())


def _leaf(p):
    manifold = getattr(p, "manifold", None)
    shared = gyre.from_torch(p.detach())
    if manifold is not None:
        return _hyperbolic.leaf(shared, manifold._own._core)
    shared.requires_grad = True
    return shared


def _places(p):
    """The addresses of a parameter and of its manifold's curvatures."""
    manifold = getattr(p, "manifold", None)
    curvatures = () if manifold is None else manifold._curvatures
    return [t.data_ptr() for t in (p, *curvatures) if isinstance(t, torch.Tensor)]


_OF_PYTORCH = {"params", "param_names", "initial_lr", "differentiable"}
_OF_SCHEDULERS = {"max_lr", "min_lr", "max_momentum", "base_momentum", "swa_lr"}
_OF_THE_TABLE = {f["name"] for definition in _optim.optimizers for f in definition.options}


def _given(group):
    """The options that a caller gives for a group."""
    return {name: value for name, value in group.items() if name not in _OF_PYTORCH}


def _options(group):
    """The options of a group, to which PyTorch's schedulers may have added their own."""
    return {name: value for name, value in group.items() if name in _OF_THE_TABLE}


def _class_of(definition):
    options = Options(definition.class_name, definition.options)
    standard = {f["name"]: f["default"] for f in definition.options}

    def __init__(self, params, *args, **kwargs):
        Optimizer.__init__(self, params, {**standard, **options.bind(args, kwargs)})

    with_options(__init__, options)
    __init__.__qualname__ = f"{definition.class_name}.__init__"
    own = getattr(gyre.optim, definition.class_name)
    return type(definition.class_name, (Optimizer,), {
        "__init__": __init__, "__doc__": own.__doc__, "__module__": __name__, "_class": own})


for _definition in _optim.optimizers:
    globals()[_definition.class_name] = _class_of(_definition)
    __all__.append(_definition.class_name)
