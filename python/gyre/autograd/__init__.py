"""Automatic differentiation by the names of torch.autograd."""

from gyre import _gyre
from gyre._functions.gradients import backward, grad, inference_mode, set_grad_enabled
from gyre._gyre import Tensor, enable_grad, no_grad
from gyre.autograd import function, functional
from gyre.autograd.function import Function

__all__ = ["Function", "Variable", "backward", "enable_grad", "function", "functional", "grad", "gradcheck",
           "inference_mode", "no_grad", "set_grad_enabled"]


def Variable(data, requires_grad=False):
    """The tensor, as a leaf that requires a gradient or does not."""
    if not isinstance(data, Tensor):
        raise TypeError(f"Variable: expected a gyre.Tensor, got {type(data).__name__}")
    return data.detach().requires_grad_(requires_grad)


def gradcheck(func, inputs, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True):
    """Whether gradients agree with finite differences; NumericError if not, unless raise_exception is false. See
    gyre.gradcheck, which reports more."""
    report = _gyre.gradcheck(func, inputs, eps=eps, atol=atol, rtol=rtol)
    if raise_exception and not report.passed:
        raise _gyre.NumericError(f"gradcheck: {report}")
    return report.passed
