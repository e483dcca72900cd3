"""Types of arguments, for annotations: what functions of gyre take for a tensor, a dtype, a shape."""

from typing import Any, Protocol, Sequence, SupportsFloat, SupportsIndex, Union

from gyre._gyre import DType, Tensor

__all__ = ["DTypeLike", "ShapeLike", "SupportsDLPack", "TensorLike"]


class SupportsDLPack(Protocol):
    """Arrays of NumPy, PyTorch, JAX and others."""

    def __dlpack__(self) -> Any: ...


TensorLike = Union[Tensor, SupportsDLPack, SupportsFloat, SupportsIndex, Sequence[Any]]
"""A tensor, an array of another library, a number, or nested lists of these."""

DTypeLike = Union[DType, str, type, Any]
"""A dtype of gyre, its name, or the dtype of NumPy or PyTorch that is the same."""

ShapeLike = Union[SupportsIndex, Sequence[SupportsIndex]]
"""A size, or sizes."""
