# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class ParametrizationList:
    """The parametrizations of one tensor, the first of which gets `original`, or original0, original1,
    ... if its right_inverse() returns several tensors.
    """
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self, modules: Any, original: Any, unsafe: Any = False) -> None: ...
    def forward(self) -> Any:
        """The parametrized tensor."""
    def named_parameters(self, prefix: Any = '', recurse: Any = True, remove_duplicate: Any = True) -> Any:
        """(name, Parameter) pairs of this module and, if `recurse`, its submodules. A shared parameter
        appears once, under its first name, if remove_duplicate.
        """
    def named_buffers(self, prefix: Any = '', recurse: Any = True, remove_duplicate: Any = True) -> Any:
        """(name, tensor) pairs of the buffers: tensors that are not trained."""
    def parameters(self, recurse: Any = True) -> Any:
        """List of the parameters, each tensor once."""
    def parameter_count(self) -> int:
        """Total number of elements of all parameters."""
    def state_dict(self, destination: Any = None, prefix: Any = '', keep_vars: Any = False) -> Any:
        """Parameters and persistent buffers by name, sharing the module's memory; keep_vars: the parameters
        themselves. A shared tensor appears once, under its first name.
        """
    def load_state_dict(self, state_dict: Any, strict: Any = True, assign: Any = False) -> Any:
        """Copies values by name into the module's tensors, converting dtypes. ValueError for missing or
        unknown names, ShapeError for different shapes; on error nothing changes. With strict=False, missing
        and unknown names are allowed. Returns the lists missing_keys and unexpected_keys.
        """
    def zero_grad(self, set_to_none: Any = True) -> Any:
        """Sets the gradients of all parameters to None, or to 0."""
    def requires_grad_(self, requires_grad: bool = True) -> object:
        """Sets requires_grad of all parameters. Returns the module itself."""
    def to(self, *args: Any, dtype: Any = None, device: Any = None, non_blocking: Any = False) -> Any:
        """Casts floating-point parameters and buffers to a dtype, of which buffers keep at least f32, and
        moves all of them to a device; a tensor stands for its dtype and device. The new tensors have no
        gradients; existing optimisers and EMAs switch to them. Returns the module itself.
        """
    def set_gradient_checkpointing(self, every: int) -> None:
        """Gradient checkpointing: transformers in this module keep the input of every `every`-th layer
        only, and backward computes the rest again, with the same results. 0: off. UnsupportedError for a
        module without a stack of layers.
        """
    def register_buffer(self, name: Any, tensor: Any, persistent: Any = True) -> Any:
        """Registers a tensor (or None) that is not trained, as a buffer. Its memory is shared. Unless it is
        persistent, it is not part of the state dict.
        """
    def register_parameter(self, name: Any, parameter: Any) -> Any:
        """Same as assigning the attribute; None declares an absent parameter."""
    def add_module(self, name: Any, module: Any) -> Any:
        """Same as assigning the attribute, also for names that are not identifiers ("0")."""
    def register_module(self, name: Any, module: Any) -> Any:
        """Same as assigning the attribute, also for names that are not identifiers ("0")."""
    def named_children(self) -> Any:
        """(name, module) pairs of the direct submodules."""
    def children(self) -> Any:
        """The direct submodules."""
    def named_modules(self, memo: Any = None, prefix: Any = '', remove_duplicate: Any = True) -> Any:
        """(name, module) pairs of this module, named `prefix`, and all submodules, each once if
        remove_duplicate.
        """
    def modules(self) -> Any:
        """This module and all submodules, each once."""
    def get_submodule(self, path: Any) -> Any:
        """The submodule with that name, as in named_modules()."""
    def set_submodule(self, path: Any, module: Any) -> Any:
        """Replaces the submodule with that name."""
    def get_parameter(self, path: Any) -> Any:
        """The parameter with that name, as in named_parameters()."""
    def get_buffer(self, path: Any) -> Any:
        """The buffer with that name, as in named_buffers()."""
    def buffers(self, recurse: Any = True) -> Any:
        """List of the buffers."""
    def type(self, dst_type: Any) -> Any:
        """Casts floating-point parameters and buffers. Returns the module itself."""
    def float(self) -> Any:
        """to(gyre.f32)."""
    def double(self) -> Any:
        """to(gyre.f64)."""
    def half(self) -> Any:
        """to(gyre.f16)."""
    def bfloat16(self) -> Any:
        """to(gyre.bf16)."""
    def cpu(self) -> Any:
        """Moves all parameters and buffers to the CPU. Returns the module itself."""
    def cuda(self, device: Any = None) -> Any:
        """Moves all parameters and buffers to a GPU, by default the first. Returns the module itself."""
    def register_forward_pre_hook(self, hook: Any, *, prepend: Any = False, with_kwargs: Any = False) -> Any:
        """Calls hook(module, args), or hook(module, args, kwargs), before each forward; it may return other
        inputs. Returns a handle whose remove() removes the hook.
        """
    def register_forward_hook(self, hook: Any, *, prepend: Any = False, with_kwargs: Any = False) -> Any:
        """Calls hook(module, args, result), or hook(module, args, kwargs, result), after each forward; it
        may return another result. Returns a handle whose remove() removes the hook.
        """
    def register_full_backward_hook(self, hook: Any, prepend: Any = False) -> Any:
        """Calls hook(module, grad_input, grad_output) in backward; it may return another grad_input.
        Returns a handle whose remove() removes the hook.
        """
    def apply(self, function: Any) -> Any:
        """Calls function(module) for all submodules, then for this module. Returns the module itself."""
    def train(self, mode: Any = True) -> Any:
        """Sets `training`, which layers such as dropout depend on, on this module and all submodules.
        Returns the module itself.
        """
    def eval(self) -> Any:
        """Sets evaluation mode; same as train(False)."""
    def extra_repr(self) -> Any:
        """The text in parentheses in repr(); subclasses may override it."""
    def __len__(self) -> int: ...
    def append(self, member: Any) -> Any:
        """Appends a member. Returns the container itself."""
    def extend(self, members: Any) -> Any:
        """Appends members. Returns the container itself."""
    def insert(self, index: Any, member: Any) -> Any:
        """Inserts a member before an index. Returns the container itself."""
    def pop(self, index: Any = -1) -> Any:
        """Removes and returns a member."""
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, member: Any) -> None: ...
    def __delitem__(self, index: Any) -> None: ...
    def right_inverse(self, value: Any) -> Any:
        """Sets the original tensors so that the result is `value`, as far as the parametrizations have a
        right_inverse().
        """
    def __getattr__(self, name: str, /) -> Any: ...
def cached() -> Any:
    """Context manager inside of which each parametrized tensor is computed once, at its first read."""
def is_parametrized(module: Any, tensor_name: Any = None) -> Any:
    """Whether the module has parametrizations, of that tensor if a name is given."""
def register_parametrization(module: Any, tensor_name: Any, parametrization: Any, *, unsafe: Any = False) -> Any:
    """Makes a tensor of the module the result of parametrization(original), after the parametrizations
    that it has already. An optional method right_inverse() gives the original for a value, and is
    called with the present one. Unless `unsafe`, the result must have the shape and dtype of the
    original. Returns the module.
    """
def remove_parametrizations(module: Any, tensor_name: Any, leave_parametrized: Any = True) -> Any:
    """Makes a parametrized tensor an ordinary one: with its present value, or with the original one
    unless leave_parametrized. Returns the module.
    """
def type_before_parametrizations(module: Any) -> Any:
    """The class of the module, without parametrizations."""
