"""Riemannian line search with conjugate gradients. (Nocedal and Wright, "Numerical Optimization", 2006, chapters 3
and 5; Sato, "Riemannian Optimization and Its Applications", 2021.)"""

import reprlib

import warnings

import torch

from gyre.torch.geoopt.optim.mixin import OptimMixin

__all__ = ["RiemannianLineSearch"]


class LineSearchWarning(RuntimeWarning):
    """No step size satisfied the conditions."""


class RiemannianLineSearch(OptimMixin, torch.optim.Optimizer):
    """Moves all parameters along the retraction of one search direction, by the step size that a line search finds.

    line_search_method is "armijo", "wolfe" (strong Wolfe conditions) or a function of phi, derphi and the keywords
    phi0, derphi0, old_phi0, old_derphi0, old_step_size and line_search_params, which returns a step size or None.
    cg_method is "steepest", "fr" (Fletcher-Reeves), "pr" (Polak-Ribière) or a function of the parameters, their
    states and cg_kwargs, which returns beta. The options of the first group hold for all."""

    def __init__(self, params, line_search_method="armijo", line_search_params=None, cg_method="steepest",
                 cg_kwargs=None, compute_derphi=True, transport_grad=False, transport_search_direction=True,
                 fallback_stepsize=1, stabilize=None):
        super().__init__(params, dict(
            line_search_method=line_search_method, line_search_params=line_search_params, cg_method=cg_method,
            cg_kwargs=cg_kwargs, compute_derphi=compute_derphi, transport_grad=transport_grad,
            transport_search_direction=transport_search_direction, fallback_stepsize=fallback_stepsize,
            stabilize=stabilize), stabilize=stabilize)
        if len(self.param_groups) > 1:
            warnings.warn("the options of the first parameter group hold for all groups", UserWarning)
        options = self.param_groups[0]
        self.line_search_method = _chosen("line_search_method", options["line_search_method"], _LINE_SEARCHES)
        self.cg_method = _chosen("cg_method", options["cg_method"], _CG_METHODS)
        self.line_search_params = options["line_search_params"] or {}
        self.cg_kwargs = options["cg_kwargs"] or {}
        self.transport_grad = options["transport_grad"] or self.cg_method is cg_polak_ribiere
        self.transport_search_direction = (
            options["transport_search_direction"] and self.cg_method is not cg_constant)
        self.fallback_stepsize = options["fallback_stepsize"]
        self.old_phi0 = self.old_derphi0 = self.last_step_size = None
        self.step_size_history = []
        self._loss = self._tried = None  # the loss at the points; (step size, loss, gradients) of the last trial

    def _parameters(self):
        return [p for group in self.param_groups for p in group["params"] if p.requires_grad]

    def step(self, closure, force_step=False, recompute_gradients=False, no_step=False):
        """One line search. Returns the loss at the new points. `closure` sets the gradients to zero, computes the
        loss and its gradients, and returns the loss as a number. If no step size is found, force_step moves by
        fallback_stepsize; no_step only searches."""
        if self._loss is None or recompute_gradients:
            self._take(*self._evaluated(closure))
        derphi0 = self._choose_direction()
        size = self.line_search_method(
            lambda t: self._try(closure, t)[0], lambda t: self._slope(closure, t), phi0=self._loss, derphi0=derphi0,
            old_phi0=self.old_phi0, old_derphi0=self.old_derphi0, old_step_size=self.last_step_size,
            **self.line_search_params)
        self.step_size_history.append(size)
        self.last_step_size, self.old_phi0, self.old_derphi0 = size, self._loss, derphi0
        if size is None:
            if not force_step:
                warnings.warn("no suitable step size was found and no step taken; pass force_step=True to step anyway",
                              LineSearchWarning)
                return self._loss
            size = self.fallback_stepsize
        if not no_step:
            self._move(closure, size)
        return self._loss

    def _evaluated(self, closure):
        with torch.enable_grad():
            loss = float(closure())
        return loss, [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in self._parameters()]

    @torch.no_grad()
    def _take(self, loss, gradients):
        """Makes (loss, gradients) those of the current points."""
        self._loss, self._tried = loss, None
        for p, gradient in zip(self._parameters(), gradients):
            state, manifold = self.state[p], self.manifold_of(p)
            if "grad" in state:
                state["prev_grad_norm_squared"] = state["grad_norm_squared"]
            state["grad"] = manifold.egrad2rgrad(p, gradient)
            state["grad_norm_squared"] = manifold.inner(p, state["grad"]).sum().item()

    @torch.no_grad()
    def _choose_direction(self):
        """Sets search directions and returns the slope of the loss along them, at most 0."""
        parameters = self._parameters()
        beta = self.cg_method(parameters, self.state, **self.cg_kwargs)
        slope = 0.0
        for p in parameters:
            state = self.state[p]
            state["search_direction"] = -state["grad"]
            if beta and "search_transported" in state:
                state["search_direction"] += beta * state["search_transported"]
            slope += self.manifold_of(p).inner(p, state["grad"], state["search_direction"]).sum().item()
        if slope < 0:
            return slope
        for p in parameters:  # not a descent direction
            self.state[p]["search_direction"] = -self.state[p]["grad"]
        return -sum(self.state[p]["grad_norm_squared"] for p in parameters)

    @torch.no_grad()
    def _try(self, closure, size):
        """(loss, gradients) at a step size; the points stay."""
        if self._tried is None or self._tried[0] != size:
            parameters = self._parameters()
            before = [p.clone() for p in parameters]
            for p in parameters:
                p.copy_(self.manifold_of(p).retr(p, size * self.state[p]["search_direction"]))
            self._tried = (size, *self._evaluated(closure))
            for p, point in zip(parameters, before):
                p.copy_(point)
        return self._tried[1:]

    @torch.no_grad()
    def _slope(self, closure, size):
        """The derivative of the loss with respect to the step size."""
        slope = 0.0
        for p, gradient in zip(self._parameters(), self._try(closure, size)[1]):
            manifold, direction = self.manifold_of(p), self.state[p]["search_direction"]
            point, transported = manifold.retr_transp(p, size * direction, direction)
            slope += manifold.inner(point, manifold.egrad2rgrad(point, gradient), transported).sum().item()
        return slope

    @torch.no_grad()
    def _move(self, closure, size):
        loss, gradients = self._try(closure, size)
        for p in self._parameters():
            state, manifold = self.state[p], self.manifold_of(p)
            step = size * state["search_direction"]
            if self.transport_search_direction:
                state["search_transported"] = manifold.transp_follow_retr(p, step, state["search_direction"])
            if self.transport_grad:
                state["grad_transported"] = manifold.transp_follow_retr(p, step, state["grad"])
            p.copy_(manifold.retr(p, step))
        due = False
        for group in self.param_groups:
            group["step"] = group.get("step", 0) + 1
            if self._is_due(group, group["step"]):
                self.stabilize_group(group)
                due = True
        self._take(*(self._evaluated(closure) if due else (loss, gradients)))


def cg_constant(params, states, alpha=0, **kwargs):
    """beta = alpha; steepest descent for 0."""
    return alpha


def cg_fletcher_reeves(params, states, **kwargs):
    """Fletcher-Reeves: |g|^2 / |g of the last step|^2."""
    before = sum(states[p].get("prev_grad_norm_squared", 0) for p in params)
    return sum(states[p]["grad_norm_squared"] for p in params) / before if before else 0


def cg_polak_ribiere(params, states, **kwargs):
    """Polak-Ribière: <g, g - transported g of the last step> / |g of the last step|^2."""
    before = sum(states[p].get("prev_grad_norm_squared", 0) for p in params)
    if not before or any("grad_transported" not in states[p] for p in params):
        return 0
    return sum(OptimMixin.manifold_of(p).inner(
        p, states[p]["grad"], states[p]["grad"] - states[p]["grad_transported"]).sum().item() for p in params) / before


def _first_size(phi0, derphi0, old_phi0, amax):
    """The step size at which a quadratic would decrease as much as in the last step."""
    size = 1.0
    if old_phi0 is not None and derphi0:
        size = 1.01 * 2 * (phi0 - old_phi0) / derphi0
    size = size if size > 0 else 1.0
    return size if amax is None else min(size, amax)


def armijo_backtracking(phi, derphi, phi0=None, derphi0=None, old_phi0=None, c1=1e-4, amin=0, amax=None, **kwargs):
    """A step size with sufficient decrease phi(t) <= phi(0) + c1 t phi'(0), by quadratic interpolation; None if it
    would be below amin."""
    size = _first_size(phi0, derphi0, old_phi0, amax)
    while size > max(amin, 1e-16):
        value = phi(size)
        if value <= phi0 + c1 * size * derphi0:
            return size
        lowest = -derphi0 * size ** 2 / (2 * (value - phi0 - derphi0 * size))
        size = min(max(lowest, 0.1 * size), 0.5 * size) if lowest == lowest else 0.1 * size
    return None


def strong_wolfe_line_search(phi, derphi, phi0=None, old_phi0=None, derphi0=None, c1=1e-4, c2=0.9, amax=None,
                             maxiter=20, **kwargs):
    """A step size with sufficient decrease and |phi'(t)| <= c2 |phi'(0)|; None if none is found in maxiter steps
    of bracketing and of refinement. (Nocedal and Wright, algorithms 3.5 and 3.6.)"""
    def enough(size, value):
        return value <= phi0 + c1 * size * derphi0

    low, low_value = 0.0, phi0
    high = min(_first_size(phi0, derphi0, old_phi0, amax), 1.0)
    for number in range(maxiter):
        value = phi(high)
        if not enough(high, value) or (number and value >= low_value):
            break
        slope = derphi(high)
        if abs(slope) <= -c2 * derphi0:
            return high
        if slope >= 0:
            low, low_value, high = high, value, low
            break
        if high == amax:
            return None
        low, low_value, high = high, value, 2 * high if amax is None else min(2 * high, amax)
    else:
        return None
    for _ in range(maxiter):
        size = 0.5 * (low + high)
        value = phi(size)
        if not enough(size, value) or value >= low_value:
            high = size
            continue
        slope = derphi(size)
        if abs(slope) <= -c2 * derphi0:
            return size
        if slope * (high - low) >= 0:
            high = low
        low, low_value = size, value
    return None


_LINE_SEARCHES = {"armijo": armijo_backtracking, "wolfe": strong_wolfe_line_search}
_CG_METHODS = {
    "steepest": cg_constant, "constant": cg_constant, "fr": cg_fletcher_reeves, "fletcher-reeves": cg_fletcher_reeves,
    "pr": cg_polak_ribiere, "polak-ribiere": cg_polak_ribiere}


def _chosen(option, value, table):
    if callable(value):
        return value
    if value not in table:
        raise ValueError(f"expected a function or one of {', '.join(table)} as {option}, got {reprlib.repr(value)}")
    return table[value]
