"""Automatic differentiation by the names of torch.autograd."""

import warnings

from gyre import _gyre
from gyre._functions.gradients import backward, grad, inference_mode, set_grad_enabled
from gyre._gyre import Tensor, enable_grad, no_grad
from gyre.autograd import function, functional
from gyre.autograd.function import Function

__all__ = ["Function", "Variable", "backward", "detect_anomaly", "enable_grad", "function", "functional", "grad", "gradcheck",
           "gradgradcheck", "inference_mode", "no_grad", "set_detect_anomaly", "set_grad_enabled"]


def Variable(data, requires_grad=False):
    """The tensor, as a leaf that requires a gradient or does not."""
    if not isinstance(data, Tensor):
        raise TypeError(f"Variable: expected a gyre.Tensor, got {type(data).__name__}")
    return data.detach().requires_grad_(requires_grad)


class set_detect_anomaly:
    """PyTorch's search for the op that produced a NaN, which gyre does not have: with mode=True it warns and names the
    counterpart. Also a context manager."""

    def __init__(self, mode=True, check_nan=True):
        if mode:
            warnings.warn("detect_anomaly has no effect; with gyre.overflow(\"error\"): the op is named that produced "
                          "infinity or NaN", stacklevel=2)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


detect_anomaly = set_detect_anomaly


def gradcheck(func, inputs, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True):
    """Whether gradients agree with finite differences; NumericError if not, unless raise_exception is false. See
    gyre.gradcheck, which reports more."""
    return _checked("gradcheck", raise_exception, func, inputs, eps=eps, atol=atol, rtol=rtol)


def gradgradcheck(func, inputs, grad_outputs=None, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True):
    """Whether gradients and second derivatives agree with finite differences, as gradcheck()."""
    if grad_outputs is not None:
        raise ValueError("gradgradcheck: expected grad_outputs=None: the results are weighted at random")
    return _checked("gradgradcheck", raise_exception, func, inputs, second=True, eps=eps, atol=atol, rtol=rtol)


def _checked(name, raise_exception, func, inputs, **options):
    report = _gyre.gradcheck(func, inputs, **options)
    if raise_exception and not report.passed:
        raise _gyre.NumericError(f"{name}: {report}")
    return report.passed
