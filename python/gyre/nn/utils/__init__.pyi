# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def clip_grad_norm_(parameters: Any, max_norm: Any, norm_type: Any = 2.0, error_if_nonfinite: Any = False, foreach: Any = None) -> Any:
    """Clips the norm of all gradients to `max_norm` in place and returns the norm before clipping.
    Gradients whose norm is not finite stay as they are; optimizer.step() skips them.
    optimizer.step(clip=...) clips in the same pass as the step.
    """
def clip_grad_value_(parameters: Any, clip_value: Any, foreach: Any = None) -> Any:
    """Clips each element of the gradients to [-clip_value, clip_value] in place."""
def clip_grads_with_norm_(parameters: Any, max_norm: Any, total_norm: Any, foreach: Any = None) -> Any:
    """Scales the gradients in place by max_norm / total_norm if that is below 1. Gradients whose norm
    is not finite stay as they are.
    """
def get_total_norm(tensors: Any, norm_type: Any = 2.0, error_if_nonfinite: Any = False, foreach: Any = None) -> Any:
    """Norm of all elements of the tensors; norm_type is p of the p-norm, or math.inf. `foreach` is not
    used.
    """
def parameters_to_vector(parameters: Any) -> Any:
    """The elements of all parameters in one vector, differentiable."""
from gyre.nn.utils import parametrizations as parametrizations
from gyre.nn.utils import parametrize as parametrize
from gyre.nn.utils import rnn as rnn
def vector_to_parameters(vec: Any, parameters: Any) -> Any:
    """Sets the parameters to the elements of a vector, in the order of parameters_to_vector()."""
def remove_spectral_norm(module: Any, name: Any = 'weight') -> Any:
    """Ends spectral_norm(); the weight keeps its value. Returns the module."""
def remove_weight_norm(module: Any, name: Any = 'weight') -> Any:
    """Ends weight_norm(); the weight keeps its value. Returns the module."""
def spectral_norm(module: Any, name: Any = 'weight', n_power_iterations: Any = 1, eps: Any = 1e-12, dim: Any = None) -> Any:
    """Spectral normalisation: weight_orig divided by its largest singular value; see
    parametrizations.spectral_norm. In training each read of the weight improves weight_u and weight_v.
    Returns the module.
    """
def weight_norm(module: Any, name: Any = 'weight', dim: Any = 0) -> Any:
    """Weight normalisation: the weight is weight_g weight_v / |weight_v|; see
    parametrizations.weight_norm. Returns the module.
    """
