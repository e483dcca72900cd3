"""Tools for the parameters of modules, with PyTorch's names: gradient clipping, parameters as one vector, weight and
spectral normalisation; sequences are in gyre.nn.utils.rnn, parametrizations in parametrize and parametrizations."""

import math

import gyre
from gyre._gyre import Tensor, _nn
from gyre.nn.utils import norms, parametrizations, parametrize, rnn
from gyre.nn.utils.norms import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm

__all__ = ["clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm", "parameters_to_vector",
           "parametrizations", "parametrize", "rnn", "vector_to_parameters", *norms.__all__]


def _gradients(parameters):
    parameters = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad for p in parameters if p.grad is not None]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Norm of all elements of the tensors; norm_type is p of the p-norm, or math.inf. `foreach` is not used."""
    tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    with gyre.no_grad():
        norms = [gyre.norm(t if t.dtype == gyre.f64 else t.to("f32"), p=float(norm_type)) for t in tensors]
        total = gyre.norm(gyre.stack(norms), p=float(norm_type)) if norms else gyre.tensor(0.0)
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise gyre.NumericError(f"expected a finite norm, got {total.item()}; pass error_if_nonfinite=False")
    return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales the gradients in place by max_norm / total_norm if that is below 1. Gradients whose norm is not finite
    stay as they are."""
    norm = float(total_norm)
    factor = max_norm / (norm + 1e-6)
    if math.isfinite(norm) and factor < 1:
        for gradient in _gradients(parameters):
            gradient.mul_(factor)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Clips the norm of all gradients to `max_norm` in place and returns the norm before clipping. Gradients whose
    norm is not finite stay as they are; optimizer.step() skips them. optimizer.step(clip=...) clips in the same pass
    as the step."""
    parameters = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    total = get_total_norm(_gradients(parameters), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Clips each element of the gradients to [-clip_value, clip_value] in place."""
    for gradient in _gradients(parameters):
        gradient.clamp_(-float(clip_value), float(clip_value))


def parameters_to_vector(parameters):
    """The elements of all parameters in one vector, differentiable."""
    return gyre.cat([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    """Sets the parameters to the elements of a vector, in the order of parameters_to_vector()."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"vector_to_parameters: expected a gyre.Tensor, got {type(vec).__name__}")
    parameters = list(parameters)
    total = sum(p.numel() for p in parameters)
    if vec.shape != (total,):
        raise ValueError(f"vector_to_parameters: expected a vector of {total} elements, got shape {vec.shape}")
    begin = 0
    for p in parameters:
        _nn.assign(p, vec[begin:begin + p.numel()].detach().reshape(p.shape))
        begin += p.numel()
