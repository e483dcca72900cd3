"""gyre's optimisers as PyTorch's: a torch.optim.Optimizer for each of gyre's table.

    optimizer = gyre.torch.optim.RiemannianAdam(model.parameters(), lr=1e-2)

They step over the memory of PyTorch's tensors. Those that know manifolds move each
gyre.torch.hyperbolic.ManifoldParameter along its own; the others refuse one.
"""

import torch

import gyre
import gyre.optim
from gyre._gyre import _hyperbolic, _optim
from gyre._options import Options, with_options

__all__ = ["Optimizer"]


class Optimizer(torch.optim.Optimizer):
    """An optimiser of gyre's table on parameters of PyTorch, in groups with options of their own."""

    _class = None  # of gyre.optim

    def __init__(self, params, defaults):
        self._gyre, self._memory = None, ()
        super().__init__(params, defaults)
        self._begin()

    def _parameters(self):
        return [p for group in self.param_groups for p in group["params"]]

    def _begin(self):
        """gyre's optimiser over the memory that the parameters have now."""
        parameters = self._parameters()
        leaves = iter([_leaf(p) for p in parameters])
        groups = [{**_options(group), "params": [next(leaves) for _ in group["params"]]}
                  for group in self.param_groups]
        self._gyre = type(self)._class(groups)
        self._memory = [p.data_ptr() for p in parameters]

    def add_param_group(self, group):
        super().add_param_group(group)
        if self._gyre is not None:  # not while the first groups come
            try:
                self._rebuild(self._gyre.state_dict()["state"])
            except Exception:
                self.param_groups.pop()
                raise

    def _rebuild(self, state):
        """Begins anew with the state of the parameters that were there."""
        self._begin()
        fresh = self._gyre._state()
        steps = fresh["steps"].tolist()
        steps[:len(state["steps"])] = state["steps"].tolist()
        fresh.update(state)
        fresh["steps"] = gyre.tensor(steps, dtype="i64")
        self._gyre._load_state(fresh)

    def __setstate__(self, state):
        """A copy has memory of its own."""
        super().__setstate__(state)
        self._gyre, self._memory = None, ()
        if self.param_groups:
            self.load_state_dict(self.state_dict())

    @torch.no_grad()
    def step(self, closure=None):
        """Changes the parameters that have a gradient. `closure` computes the loss anew."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        parameters = self._parameters()
        if self._memory != [p.data_ptr() for p in parameters]:
            self._rebuild(self._gyre._state())
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
        """`state` as PyTorch has it: tensors of each parameter by name, over gyre's memory."""
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
        """Sets what state_dict() gave; dtypes stay as they are. The groups must be of the same sizes."""
        groups = state_dict["param_groups"]
        if [len(g["params"]) for g in groups] != [len(g["params"]) for g in self.param_groups]:
            raise ValueError("the state has other groups than the optimiser")
        for group, saved in zip(self.param_groups, groups):
            group.update({name: value for name, value in saved.items() if name != "params"})
        self._begin()
        state = self._gyre._state()
        numbers = [number for group in groups for number in group["params"]]
        steps = [0] * len(numbers)
        for place, number in enumerate(numbers):
            for kind, value in state_dict["state"].get(number, {}).items():
                if kind == "step":
                    steps[place] = int(value)
                else:
                    state[f"{kind}.{place}"] = gyre.from_torch(value.contiguous())
        state["steps"] = gyre.tensor(steps, dtype="i64")
        self._gyre._load_state(state)
        self._publish(self._parameters())


def _leaf(p):
    manifold = getattr(p, "manifold", None)
    shared = gyre.from_torch(p.detach())
    if manifold is not None:
        return _hyperbolic.leaf(shared, manifold._own._core)
    shared.requires_grad = True
    return shared


def _options(group):
    return {name: value for name, value in group.items() if name not in ("params", "param_names", "initial_lr")}


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
