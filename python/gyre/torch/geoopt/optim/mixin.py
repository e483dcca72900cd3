"""What the Riemannian optimisers share."""

import torch

from gyre.torch.geoopt.manifolds import Euclidean
from gyre.torch.geoopt.tensor import ManifoldTensor

__all__ = ["OptimMixin", "SparseMixin"]


class OptimMixin:
    """Adds the option `stabilize` of groups: project points and moments onto the manifold every so many steps."""

    _default_manifold = Euclidean()

    def __init__(self, *args, stabilize=None, **kwargs):
        self._stabilize = stabilize
        super().__init__(*args, **kwargs)

    def add_param_group(self, param_group):
        param_group.setdefault("stabilize", self._stabilize)
        return super().add_param_group(param_group)

    @staticmethod
    def manifold_of(parameter):
        """The manifold of a parameter, Euclidean space for ordinary ones."""
        return parameter.manifold if isinstance(parameter, ManifoldTensor) else OptimMixin._default_manifold

    def step(self, closure=None):
        """Updates the parameters that have a gradient. `closure` recomputes and returns the loss."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                self._step_group(group)
        return loss

    def _step_group(self, group):
        """Updates the parameters of a group; a subclass defines it or step()."""

    @torch.no_grad()
    def stabilize(self):
        """Projects the points of all groups and their moments onto the manifold."""
        for group in self.param_groups:
            self.stabilize_group(group)

    _moment = None  # the entry of the state that is a tangent vector

    @torch.no_grad()
    def stabilize_group(self, group):
        """Projects the points of a group and their moments onto the manifold."""
        for p in group["params"]:
            if not isinstance(p, ManifoldTensor):
                continue
            p.copy_(p.manifold.projx(p))
            moment = self.state[p].get(self._moment) if p in self.state else None
            if moment is not None:
                moment.copy_(p.manifold.proju(p, moment))

    def _is_due(self, group, step):
        return group["stabilize"] is not None and step % group["stabilize"] == 0


class SparseMixin:
    """For matrices whose gradients are sparse: rows without gradient do not change."""

    def add_param_group(self, param_group):
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("expected an ordered collection of parameters, got a set; use a list")
        params = [params] if isinstance(params, torch.Tensor) else list(params)
        for p in params:
            if p.dim() != 2:
                raise ValueError(f"Parameters of sparse optimisers should be matrix valued, got shape {tuple(p.shape)}")
        return super().add_param_group({**param_group, "params": params})


def gradient(optimizer, parameter, sparse_version):
    """(rows, gradient in those rows); rows is ... for all. None without a gradient. sparse_version is the name of the
    optimiser for sparse gradients, or None if this is one."""
    grad = parameter.grad
    if grad is None:
        return None
    if grad.is_sparse != (sparse_version is None):
        got, wanted = ("sparse", "dense") if grad.is_sparse else ("dense", "sparse")
        raise RuntimeError(f"{type(optimizer).__name__}: expected a {wanted} gradient, got a {got} one; "
                           f"use {sparse_version or type(optimizer).__name__.removeprefix('Sparse')}")
    if not grad.is_sparse:
        return ..., grad
    grad = grad.coalesce()
    return grad.indices()[0], grad.values()


def in_range(name, value, low, high=float("inf")):
    """ValueError unless low <= value < high."""
    if not low <= value < high:
        raise ValueError(f"expected {low} <= {name}{f' < {high}' if high < float('inf') else ''}, got {value}")
