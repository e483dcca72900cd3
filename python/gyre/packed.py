"""Packed weights: matrices stored as 128-bit words, 1 to 4 bits a weight, that layers take as they are.

    model = gyre.load_model("model")
    gyre.compress(model, "T4", policy={"*wte.weight": "D4"})  # in place
    gyre.save(model.state_dict(), "small.safetensors")

    w = gyre.packed.encode(gyre.randn(48, 40), "T4").requires_grad_()
    (x @ w.decode().T).sum().backward()
    gyre.packed.dense_gradient(w.grad), gyre.packed.full_grad(w)

A packed tensor is a gyre.Tensor for which `is_packed` holds, with `format`, `nbytes` and `decode()`. As the weight of
linear layers and embeddings it is decoded tile by tile; the ops packed_matmul, packed_rows and packed_decode read it,
other ops refuse it. gyre.optim.HybridOptimizer trains it.
"""

import collections.abc
import contextlib
import dataclasses
import typing

from gyre import _gyre
from gyre._gyre import Tensor, _packed

__all__ = ["CompressedTensor", "RBEGradient", "compress", "dense_gradient", "encode", "formats", "from_words",
           "full_grad",
           "int8_activations"]

#: The names of all formats.
formats: "tuple[str, ...]" = _packed.formats


@dataclasses.dataclass(frozen=True)
class CompressedTensor:
    """A tensor before and after compression: name, format (the dtype of one that stays as it is), whether it was
    packed, numbers of weights and bytes, and the size of the differences over that of the weights."""

    name: str
    format: str
    packed: bool
    weights: int
    bytes: int
    error: float


class RBEGradient(typing.NamedTuple):
    """The gradient of packed weights by the parts of their words: `hi` [words, 128], the change of the loss when a bit
    is flipped, to first order in the weights; `lo` [groups, 2], the derivatives by the scale and the angle of a group;
    `interactions` [words, 128, 2], the derivatives of `hi` by these."""

    hi: Tensor
    lo: Tensor
    interactions: Tensor


def encode(x: "typing.Any", format: str = "D4", seed: int = 1) -> Tensor:
    """The packed tensor nearest to x, a floating tensor of two or more axes: the op packed_encode, whose gradient
    passes straight through. `seed`: of the signs of its Hadamard matrix, 0 to 2047."""
    return _gyre.packed_encode(x, format=format, seed=seed)


def from_words(words: Tensor, headers: Tensor, format: str, shape: "typing.Sequence[int]") -> Tensor:
    """The packed tensor of these words and headers, int64 [n, 2], copies of which `w.words` and `w.headers` give."""
    return _packed.of_parts(format, tuple(shape), words, headers, "from_words")


def dense_gradient(gradient: Tensor) -> Tensor:
    """The gradient of packed weights, which backward() leaves in factors, as a plain f32 tensor."""
    return _packed.dense_gradient(gradient)


def full_grad(w: Tensor, gradient: "Tensor | None" = None) -> RBEGradient:
    """What `gradient`, by default that of w, means for the bits, scales and angles of packed w: 96 times the memory
    of its words, and 200 times on the way."""
    if not isinstance(w, Tensor):
        raise TypeError(f"expected a gyre.Tensor, got {type(w).__name__}")
    given = w.grad if gradient is None else gradient
    if given is None:
        raise ValueError("w has no gradient; call backward() first, or pass one")
    return RBEGradient(*_packed.gradient_of_words(w, given))


def int8_activations(wanted: bool = True) -> "contextlib.AbstractContextManager[None]":
    """Context manager in which linear layers of this thread round the activations that packed weights are multiplied by
    to 8 bits (the op packed_matmul_int8), where nothing is recorded for gradients: faster, with a relative error of
    about 0.01 in each layer."""
    return _packed.int8_activations(wanted)


def _rules(policy):
    if isinstance(policy, str):
        raise TypeError("expected a dict of formats by pattern, or a list of PATTERN=FORMAT, as policy")
    items = policy.items() if isinstance(policy, collections.abc.Mapping) else policy or ()
    return [item if isinstance(item, str) else f"{item[0]}={item[1]}" for item in items]


@typing.overload
def compress(module: "collections.abc.Mapping[str, typing.Any]", format: "str | None" = None, *,
             target: "str | float | None" = None, policy: "typing.Any" = None, least_weights: int = 4096,
             progress: "collections.abc.Callable[[int, int], object] | None" = None) -> "dict[str, Tensor]": ...


@typing.overload
def compress(module: "typing.Any", format: "str | None" = None, *, target: "str | float | None" = None,
             policy: "typing.Any" = None, least_weights: int = 4096,
             progress: "collections.abc.Callable[[int, int], object] | None" = None) -> "list[CompressedTensor]": ...


def compress(module, format=None, *, target=None, policy=None, least_weights=4096, progress=None):
    """Packs the weights of a module in place, and returns a list of CompressedTensor; of a state dict, returns a new
    one. Tensors of one axis, or with fewer than `least_weights` elements, stay as they are. The format is D4 unless given.

    `target`, instead of a format: how small the file of the state may be, "10x" for a tenth of its size with f32
    weights, or bits a weight such as 3.2; each tensor gets a format so that the error of all is least.
    `policy`: formats by pattern of tensor name, which count instead of `format`; the first that matches counts, `*`
    stands for any characters, and "f32" leaves a tensor as it is: {"h.*.mlp.*": "D3", "*wte*": "f32"}.
    progress(weights so far, all weights) is called now and then; an exception in it leaves the module unchanged."""
    if format is not None and target is not None:
        raise TypeError("compress() takes format or target, not both")
    arguments = format or "D4", _rules(policy), least_weights, "" if target is None else str(target), progress
    if isinstance(module, collections.abc.Mapping):
        return _packed.compress_state(module, *arguments)[0]
    return [CompressedTensor(**entry) for entry in _packed.compress_module(module, *arguments)]
