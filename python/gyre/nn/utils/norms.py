"""Weight and spectral normalisation by PyTorch's older names, which keep the tensors of a weight beside its place:
weight_g and weight_v, or weight_orig, weight_u and weight_v."""

from gyre.nn.computed import compute, computed, own_tensor, restore
from gyre.nn.module import Parameter
from gyre.nn.utils.parametrizations import (
    as_matrix, checked_iterations, norm_except_dim, over_spectral_norm, power_iteration, random_direction, row_axis)

__all__ = ["remove_spectral_norm", "remove_weight_norm", "spectral_norm", "weight_norm"]


class _Norm:
    """A computed weight `name`."""

    endings = ()

    def __init__(self, name):
        self.name = name

    def parts(self, module):
        return [getattr(module, f"{self.name}_{ending}") for ending in self.endings]

    def assign(self, module, value):
        raise AttributeError(f"{self.name} is computed; assign {self.name}_{self.endings[0]}")


class _WeightNorm(_Norm):
    endings = ("g", "v")

    def __init__(self, name, dim):
        super().__init__(name)
        self.dim = -1 if dim is None else dim

    def value(self, module):
        g, v = self.parts(module)
        return v * (g / norm_except_dim(v, self.dim))


class _SpectralNorm(_Norm):
    endings = ("orig", "u", "v")

    def __init__(self, name, dim, count, eps):
        super().__init__(name)
        self.dim, self.count, self.eps = dim, count, eps

    def value(self, module):
        weight, u, v = self.parts(module)
        if module.training:
            power_iteration(as_matrix(weight.detach(), self.dim).T, v, u, self.count, self.eps)
        return over_spectral_norm(weight, self.dim, u, v)


def _apply(module, how, parameters, buffers=()):
    compute(module, how.name, how)
    tensors = [*map(Parameter, parameters), *buffers]
    for ending, tensor in zip(how.endings, tensors):
        if isinstance(tensor, Parameter):
            module.register_parameter(f"{how.name}_{ending}", tensor)
        else:
            module.register_buffer(f"{how.name}_{ending}", tensor)
    return module


def _remove(module, name, kind, what):
    how = computed(module).get(name)
    if not isinstance(how, kind):
        raise ValueError(f"remove_{what}: {type(module).__name__}.{name} has no {what}")
    mode = module.training
    module.train(False)  # without a power iteration
    weight = Parameter(how.value(module).detach())
    module.train(mode)
    for ending in how.endings:
        delattr(module, f"{name}_{ending}")
    restore(module, name, weight)
    return module


def weight_norm(module, name="weight", dim=0):
    """Weight normalisation: the weight is weight_g weight_v / |weight_v|; see parametrizations.weight_norm. Returns the
    module."""
    weight = own_tensor(module, name).detach()
    how = _WeightNorm(name, dim)
    return _apply(module, how, [norm_except_dim(weight, how.dim), weight])


def remove_weight_norm(module, name="weight"):
    """Ends weight_norm(); the weight keeps its value. Returns the module."""
    return _remove(module, name, _WeightNorm, "weight_norm")


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Spectral normalisation: weight_orig divided by its largest singular value; see parametrizations.spectral_norm. In
    training each read of the weight improves weight_u and weight_v. Returns the module."""
    weight = own_tensor(module, name).detach()
    dim = row_axis(module) if dim is None else dim
    rows, columns = as_matrix(weight, dim).shape
    how = _SpectralNorm(name, dim, checked_iterations(n_power_iterations), eps)
    return _apply(module, how, [weight], [random_direction(size, weight, eps) for size in (rows, columns)])


def remove_spectral_norm(module, name="weight"):
    """Ends spectral_norm(); the weight keeps its value. Returns the module."""
    return _remove(module, name, _SpectralNorm, "spectral_norm")
