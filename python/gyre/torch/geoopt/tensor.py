"""Tensors and parameters on manifolds."""

import copy
import inspect

import torch

from gyre.torch.geoopt import manifolds
from gyre.torch.geoopt.manifolds import Euclidean, Manifold

__all__ = ["ManifoldParameter", "ManifoldTensor"]


class ManifoldTensor(torch.Tensor):
    """A tensor of points of its `manifold`, with the manifold's methods. Results of operations are plain tensors."""

    __torch_function__ = torch._C._disabled_torch_function_impl

    def __new__(cls, *args, manifold=None, requires_grad=False, **kwargs):
        manifold = Euclidean() if manifold is None else manifold
        if len(args) == 1 and isinstance(args[0], torch.Tensor):
            data = args[0].data
        else:
            data = torch.Tensor(*args, **kwargs)
        manifold.assert_check_point(data)
        instance = torch.Tensor._make_subclass(cls, data, requires_grad)
        instance.manifold = manifold
        return instance

    def proj_(self):
        """Projects the points onto the manifold in place."""
        return self.copy_(self.manifold.projx(self))

    def dist(self, other, p=2, **kwargs):
        """The p-norm of the difference, or with p = "g" the geodesic distance."""
        return self.manifold.dist(self, other, **kwargs) if p == "g" else super().dist(other, p)

    def unpack_tensor(self):
        """The parts of points of a product manifold."""
        return self.manifold.unpack_tensor(self)

    def __repr__(self):
        return f"Tensor on {self.manifold} containing:\n{super().__repr__()}"

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            data = self.data.clone(memory_format=torch.preserve_format)
            memo[id(self)] = type(self)(
                data, manifold=copy.deepcopy(self.manifold, memo), requires_grad=self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return _restored, (type(self), self.data, self.manifold, self.requires_grad)


class ManifoldParameter(ManifoldTensor, torch.nn.Parameter):
    """A torch.nn.Parameter of points of its `manifold` (that of `data` if None), which the optimisers of
    gyre.torch.geoopt.optim move along the manifold."""

    def __new__(cls, data=None, manifold=None, requires_grad=True):
        own = getattr(data, "manifold", None)
        if own is not None and manifold is not None and own != manifold:
            raise ValueError(f"Manifolds do not match: the data are on {own}, the parameter on {manifold}")
        data = [] if data is None else data
        return ManifoldTensor.__new__(cls, data, manifold=manifold or own, requires_grad=requires_grad)

    def __repr__(self):
        return f"Parameter on {self.manifold} containing:\n{torch.Tensor.__repr__(self)}"


def _method(name):
    def method(self, *args, **kwargs):
        return getattr(self.manifold, name)(self, *args, **kwargs)

    of_manifold = getattr(Manifold, name)
    parameters = list(inspect.signature(of_manifold).parameters.values())
    method.__signature__ = inspect.Signature([parameters[0], *parameters[2:]])  # without x
    method.__name__, method.__doc__ = name, of_manifold.__doc__
    method.__qualname__ = f"ManifoldTensor.{name}"
    return method


for _name in ("expmap", "expmap_transp", "inner", "logmap", "proju", "retr", "retr_transp", "transp",
              "transp_follow_expmap", "transp_follow_retr"):
    setattr(ManifoldTensor, _name, _method(_name))


def _restored(cls, data, manifold, requires_grad):
    return cls(data, manifold=manifold, requires_grad=requires_grad)


def allow_loading():
    """Lets torch.load(weights_only=True) read tensors on manifolds."""
    classes = [value for value in vars(manifolds).values() if isinstance(value, type)]
    torch.serialization.add_safe_globals([
        _restored, ManifoldTensor, ManifoldParameter, *classes, torch.nn.ModuleList, slice])
