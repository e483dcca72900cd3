"""Type annotations of arguments: what functions accept as a tensor, a dtype or a shape."""

from typing import Any, Protocol, Sequence, SupportsFloat, SupportsIndex, Union

from gyre._gyre import DType, Tensor

__all__ = ["DTypeLike", "ShapeLike", "SupportsDLPack", "TensorLike"]


class SupportsDLPack(Protocol):
    """Arrays of NumPy, PyTorch, JAX and others."""

    def __dlpack__(self) -> Any: ...


TensorLike = Union[Tensor, SupportsDLPack, SupportsFloat, SupportsIndex, Sequence[Any]]
"""A tensor, an array of another library, a number, or nested lists of these."""

DTypeLike = Union[DType, str, type, Any]
"""A gyre.DType, its name, or the equivalent dtype of NumPy or PyTorch."""

ShapeLike = Union[SupportsIndex, Sequence[SupportsIndex]]
"""A size, or a sequence of sizes."""
