"""Derivatives of functions by the names of torch.autograd.functional."""

from gyre import func as transforms
from gyre._gyre import Tensor, ones_like

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def _several(inputs):
    return (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)


def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The Jacobian of func at a tensor, or those at a tuple of them."""
    if isinstance(inputs, Tensor):
        return transforms.jacobian(func)(inputs)
    return transforms.jacobian(func, argnums=tuple(range(len(inputs))))(*inputs)


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    """The Hessian of a scalar func at a tensor, or its blocks, a tuple of tuples, at a tuple of tensors."""
    if isinstance(inputs, Tensor):
        return transforms.hessian(func)(inputs)
    return transforms.hessian(func, argnums=tuple(range(len(inputs))))(*inputs)


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """The result of func and the gradient of (result * v).sum()."""
    result, pull = transforms.vjp(func, *_several(inputs))
    found = pull(ones_like(result) if v is None else v)
    return result, found[0] if isinstance(inputs, Tensor) else found


def jvp(func, inputs, v, create_graph=False, strict=False):
    """The result of func and its directional derivative along v."""
    return transforms.jvp(func, inputs, v)


def hvp(func, inputs, v, create_graph=False, strict=False):
    """The scalar result of func and its Hessian times v."""
    return func(*_several(inputs)), transforms.hvp(func, inputs, v)


def vhp(func, inputs, v, create_graph=False, strict=False):
    """The scalar result of func and v times its Hessian, which is symmetric."""
    return hvp(func, inputs, v, create_graph, strict)
