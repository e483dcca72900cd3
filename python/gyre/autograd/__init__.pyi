# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

from gyre._gyre import Tensor
class Function:
    """Base class of functions with a gradient of their own: static methods forward(ctx, *args) and
    backward(ctx, *cotangents), called by apply(*args).
    """
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any: ...
    @staticmethod
    def apply(*args: Any) -> Any:
        """Calls forward; autograd calls backward."""
def Variable(data: Any, requires_grad: Any = False) -> Any:
    """The tensor, as a leaf that requires a gradient or does not."""
def backward(tensors: TensorLike | collections.abc.Iterable[TensorLike], grad_tensors: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Tensor | collections.abc.Iterable[Tensor] | None = None, *, cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None) -> None:
    """Accumulates the gradients of sum(tensors[i] * grad_tensors[i]) into the grad of the leaves, or of
    `inputs` only. `cotangents` is another name of grad_tensors.
    """
class detect_anomaly:
    """PyTorch's search for the op that produced a NaN, which gyre does not have: with mode=True it
    warns and names the counterpart. Also a context manager.
    """
    def __init__(self, mode: Any = True, check_nan: Any = True) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> None: ...
def enable_grad(function: typing.Any = None) -> typing.Any:
    """Context manager and decorator that enables autograd recording inside no_grad()."""
from gyre.autograd import function as function
from gyre.autograd import functional as functional
def grad(outputs: TensorLike | collections.abc.Iterable[TensorLike], inputs: Tensor | collections.abc.Iterable[Tensor], grad_outputs: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, retain_graph: bool | None = None, create_graph: bool = False, only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False, materialize_grads: bool = False, *, cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None) -> tuple[Any, ...]:
    """Gradients of sum(outputs[i] * grad_outputs[i]) with respect to inputs, a tuple. Of inputs that do
    not take part they are None if allow_unused, 0 if materialize_grads. `cotangents` is another name of
    grad_outputs.
    """
def gradcheck(func: Any, inputs: Any, eps: Any = 1e-06, atol: Any = 1e-05, rtol: Any = 0.001, raise_exception: Any = True) -> Any:
    """Whether gradients agree with finite differences; NumericError if not, unless raise_exception is
    false. See gyre.gradcheck, which reports more.
    """
def gradgradcheck(func: Any, inputs: Any, grad_outputs: Any = None, eps: Any = 1e-06, atol: Any = 1e-05, rtol: Any = 0.001, raise_exception: Any = True) -> Any:
    """Whether gradients and second derivatives agree with finite differences, as gradcheck()."""
def inference_mode(mode: Any = True) -> Any:
    """Same as no_grad: disables autograd recording."""
def no_grad(function: typing.Any = None) -> typing.Any:
    """Context manager and decorator that disables autograd recording: `with gyre.no_grad():`."""
class set_detect_anomaly:
    """PyTorch's search for the op that produced a NaN, which gyre does not have: with mode=True it
    warns and names the counterpart. Also a context manager.
    """
    def __init__(self, mode: Any = True, check_nan: Any = True) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> None: ...
class set_grad_enabled:
    """Sets at once whether autograd records ops on this thread; as a context manager, until its end."""
    def __init__(self, mode: Any) -> None: ...
    def __enter__(self) -> Tensor: ...
    def __exit__(self, *error: Any) -> None: ...
    def __call__(self, function: Any) -> Tensor: ...
