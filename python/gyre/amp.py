"""Mixed precision by the names of torch.amp: loss scaling for f16.

    scaler = gyre.amp.GradScaler("cpu")
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
"""

from gyre._display import named
from gyre._functions.settings import autocast, is_autocast_enabled
from gyre.optim import LossScale

__all__ = ["GradScaler", "autocast", "is_autocast_enabled"]


class GradScaler:
    """Scales losses so that gradients stay in the range of f16, and skips steps whose gradients are not finite; see
    gyre.optim.LossScale. enabled=False: losses are not scaled."""

    def __init__(self, device="cuda", init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self.device, self._enabled = device, enabled
        self._options = {"growth_factor": growth_factor, "backoff_factor": backoff_factor, "growth_interval": growth_interval}
        self._scale = LossScale(init_scale=init_scale, least=1e-30, **self._options)
        self._unscaled, self._applied = set(), []  # optimisers by id, and whether each step since update() was applied

    def __repr__(self):
        return f"GradScaler({named(device=self.device, scale=self.get_scale(), enabled=self._enabled)})"

    def is_enabled(self):
        """Whether losses are scaled."""
        return self._enabled

    def get_scale(self):
        """The factor of losses; 1 unless enabled."""
        return self._scale.scale if self._enabled else 1.0

    def scale(self, outputs):
        """A loss, or a list or tuple of them, times the factor."""
        if isinstance(outputs, (list, tuple)):
            return type(outputs)(map(self.scale, outputs))
        return outputs * self.get_scale() if self._enabled else outputs

    def unscale_(self, optimizer):
        """Divides the gradients of the optimiser's parameters by the factor, for example before clipping them."""
        if not self._enabled:
            return
        if id(optimizer) in self._unscaled:
            raise RuntimeError("unscale_: the gradients of this optimiser are unscaled since the last update()")
        self._unscaled.add(id(optimizer))
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter.grad.mul_(1 / self.get_scale())

    def step(self, optimizer):
        """optimizer.step() with unscaled gradients; skipped if they are not finite."""
        if not self._enabled:
            return optimizer.step()
        result = optimizer.step(scale=1.0 if id(optimizer) in self._unscaled else 1 / self.get_scale())
        self._applied.append(result.applied)
        return result

    def update(self, new_scale=None):
        """Adapts the factor to the steps since the last call, or sets it."""
        if self._enabled and new_scale is not None:
            self._scale.load_state_dict({**self._scale.state_dict(), "scale": float(new_scale)})
        elif self._enabled:
            if not self._applied:
                raise RuntimeError("update: call step() first")
            self._scale.update(all(self._applied))
        self._unscaled, self._applied = set(), []

    def state_dict(self):
        """The factor and its options; empty unless enabled."""
        if not self._enabled:
            return {}
        state = self._scale.state_dict()
        return {"scale": state["scale"], **self._options, "_growth_tracker": state["good_steps"]}

    def load_state_dict(self, state_dict):
        """Restores state_dict()."""
        if not self._enabled:
            return
        if missing := {"scale", "_growth_tracker", *self._options} - {*state_dict}:
            raise RuntimeError(f"load_state_dict: expected the state of an enabled GradScaler, which has {sorted(missing)}")
        self._options = {name: state_dict[name] for name in self._options}
        self._scale = LossScale(init_scale=state_dict["scale"], least=1e-30, **self._options)
        self._scale.load_state_dict({"scale": state_dict["scale"], "good_steps": state_dict["_growth_tracker"]})
