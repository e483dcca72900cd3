"""Parameters of HypLL for geoopt's optimisers."""

import torch

from gyre.torch.hypll.manifolds.euclidean import Euclidean
from gyre.torch.hypll.tensors import ManifoldParameter

__all__ = ["ManifoldParameters"]


class _Space:
    """The methods of a manifold that geoopt's optimisers call; points and vectors are along a dimension."""

    def __init__(self, manifold, man_dim):
        self.manifold, self.man_dim = manifold, man_dim

    def egrad2rgrad(self, x, grad):
        return self.manifold._euc_to_tangent(x, grad, self.man_dim)

    def component_inner(self, x, u):
        return self.manifold._inner(x, u, u, self.man_dim, keepdim=True)

    def retr(self, x, u):
        return self.manifold._expmap(x, u, self.man_dim)

    def retr_transp(self, x, u, v):
        y = self.retr(x, u)
        return y, self.manifold._transp(x, y, v, self.man_dim)


class ManifoldParameters:
    """Part of an optimiser: groups contain the tensors of ManifoldParameters, moved along their manifolds. Rows of
    other parameters (along the last dimension) are points of Euclidean space."""

    _sparse_version = "an embedding with dense gradients"

    def __init__(self, *args):
        self._spaces = {}
        super().__init__(*args)

    def add_param_group(self, param_group):
        params = param_group["params"]
        params = [params] if isinstance(params, torch.Tensor) else params
        if isinstance(params, set):
            raise TypeError("expected an ordered collection of parameters, got a set; use a list")
        super().add_param_group({**param_group, "params": [self._tensor(p) for p in params]})

    def _tensor(self, parameter):
        if isinstance(parameter, tuple):  # of named_parameters()
            return parameter[0], self._tensor(parameter[1])
        if not isinstance(parameter, ManifoldParameter):
            return parameter
        self._spaces[parameter.tensor] = _Space(parameter.manifold, parameter.man_dim)
        return parameter.tensor

    def manifold_of(self, parameter):
        return self._spaces.get(parameter) or _Space(Euclidean(), -1)
