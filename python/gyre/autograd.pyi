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
def backward(outputs: TensorLike | collections.abc.Iterable[TensorLike], cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, create_graph: bool = False, retain_graph: bool = False) -> None:
    """Accumulates the gradient of sum(outputs[i] * cotangents[i]) into the grad of the leaves."""
def enable_grad(function: typing.Any = None) -> typing.Any:
    """Context manager and decorator that enables autograd recording inside no_grad()."""
class functional:
    """Derivatives of functions, as in torch.autograd.functional."""
    @staticmethod
    def jacobian(function: Any, inputs: Any, **options: Any) -> Any: ...
    @staticmethod
    def hessian(function: Any, inputs: Any, **options: Any) -> Any: ...
    @staticmethod
    def vjp(function: Any, inputs: Any, v: Any) -> Any: ...
    @staticmethod
    def jvp(function: Any, inputs: Any, v: Any) -> Any: ...
    @staticmethod
    def hvp(function: Any, inputs: Any, v: Any) -> Any: ...
def grad(outputs: TensorLike | collections.abc.Iterable[TensorLike], inputs: Tensor | collections.abc.Iterable[Tensor], cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, create_graph: bool = False, retain_graph: bool = False, allow_unused: bool = False) -> tuple[typing.Any, ...]:
    """Gradients of sum(outputs[i] * cotangents[i]) with respect to inputs, a tuple."""
def inference_mode(mode: Any = True) -> Any:
    """Same as no_grad: disables autograd recording."""
def no_grad(function: typing.Any = None) -> typing.Any:
    """Context manager and decorator that disables autograd recording: `with gyre.no_grad():`."""
class set_grad_enabled:
    """Sets at once whether autograd records ops on this thread; as a context manager, until its end."""
    def __init__(self, mode: Any) -> None: ...
    def __enter__(self) -> Tensor: ...
    def __exit__(self, *error: Any) -> None: ...
    def __call__(self, function: Any) -> Tensor: ...
