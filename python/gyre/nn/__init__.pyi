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
class Layer(Module):
    """A layer of the table, implemented in C++. Its tensors are attributes (`layer.weight`), and so are
    its submodules (`block.attn`, or a list of them, `gpt.h`). Options are given by keyword or in the
    order of the table; an option whose name is a Python keyword has a trailing underscore (`in_`).
    """
    @property
    def options(self) -> Any: ...
    @property
    def training(self) -> Any: ...
    @training.setter
    def training(self, value: Any) -> None: ...
    def __getattr__(self, name: Any) -> Any: ...
    def named_children(self) -> Any:
        """(name, module) pairs of the direct submodules."""
    def extra_repr(self) -> Any:
        """The text in parentheses in repr(); subclasses may override it."""
class Module:
    """Base class of models. A subclass calls super().__init__(), assigns Parameters and Modules to
    attributes (and register_buffer for tensors that are not trained) and defines forward:
    """
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self) -> None: ...
    def forward(self, *args: Any, **kwargs: Any) -> Any: ...
    def named_parameters(self) -> list[Any]:
        """(name, Parameter) pairs of this module and its submodules. A shared parameter appears once, under
        its first name.
        """
    def named_buffers(self) -> list[Any]:
        """(name, tensor) pairs of the buffers: tensors that are part of the state but not trained."""
    def parameters(self) -> list[Any]:
        """List of the parameters, each tensor once."""
    def parameter_count(self) -> int:
        """Total number of elements of all parameters."""
    def state_dict(self) -> dict[Any, Any]:
        """Parameters and buffers by name, sharing the module's memory. A shared tensor appears once, under
        its first name.
        """
    def load_state_dict(self, state: object, strict: bool = True) -> tuple[Any, ...]:
        """Copies values by name into the module's tensors, converting dtypes. ValueError for missing or
        unknown names, ShapeError for different shapes; on error nothing changes. With strict=False, missing
        and unknown names are allowed. Returns the lists of missing and unknown names.
        """
    def zero_grad(self) -> None:
        """Sets the gradients of all parameters to None."""
    def requires_grad_(self, requires_grad: bool = True) -> object:
        """Sets requires_grad of all parameters. Returns the module itself."""
    def to(self, dtype: object = None, device: object = None) -> object:
        """Casts floating-point parameters and buffers to a dtype, of which buffers keep at least f32, or
        moves all of them to a device. The new tensors have no gradients; existing optimisers and EMAs
        switch to them. Returns the module itself.
        """
    def set_gradient_checkpointing(self, every: int) -> None:
        """Gradient checkpointing: transformers in this module keep the input of every `every`-th layer
        only, and backward computes the rest again, with the same results. 0: off. UnsupportedError for a
        module without a stack of layers.
        """
    def register_buffer(self, name: Any, tensor: Any) -> Any:
        """Registers a tensor (or None) that is part of the state but not trained, as a buffer. Its memory
        is shared.
        """
    def register_parameter(self, name: Any, parameter: Any) -> Any:
        """Same as assigning the attribute; None declares an absent parameter."""
    def add_module(self, name: Any, module: Any) -> Any:
        """Same as assigning the attribute, also for names that are not identifiers ("0")."""
    def named_children(self) -> Any:
        """(name, module) pairs of the direct submodules."""
    def children(self) -> Any:
        """The direct submodules."""
    def named_modules(self, prefix: Any = '', _seen: Any = None) -> Any:
        """(name, module) pairs of this module, named `prefix`, and all submodules, each once."""
    def modules(self) -> Any:
        """This module and all submodules, each once."""
    def get_submodule(self, path: Any) -> Any:
        """The submodule with that name, as in named_modules()."""
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
    def __getattr__(self, name: str, /) -> Any: ...
class ModuleDict(Module):
    """A dict of modules."""
    def __init__(self, modules: Any = None) -> None: ...
    def update(self, modules: Any) -> Any:
        """Adds or replaces modules."""
    def __setitem__(self, name: Any, module: Any) -> None: ...
    def __getitem__(self, name: Any) -> Any: ...
    def __delitem__(self, name: Any) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __contains__(self, name: Any) -> bool: ...
    def keys(self) -> Any:
        """The names of the modules."""
    def values(self) -> Any:
        """The modules."""
    def items(self) -> Any:
        """(name, module) pairs."""
class ModuleList(Module):
    """A list of modules, named "0", "1", ..."""
    def __init__(self, modules: Any = ()) -> None: ...
    def append(self, module: Any) -> Any:
        """Appends a module. Returns the container itself."""
    def extend(self, modules: Any) -> Any:
        """Appends modules. Returns the container itself."""
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, module: Any) -> None: ...
class Parameter:
    """A trainable tensor, registered when assigned to an attribute of a Module. It is a new leaf that shares the memory of a contiguous gyre.Tensor and copies other data."""
    def __init__(self, data: object, requires_grad: bool = True) -> None: ...
    def __deepcopy__(self, memo: object) -> object: ...
    def __copy__(self) -> object: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
class Sequential(Module):
    """Applies modules in order: Sequential(first, second) names them "0", "1", ...; Sequential(dict)
    uses the keys of the dict.
    """
    def __init__(self, *modules: Any) -> None: ...
    def append(self, module: Any) -> Any:
        """Appends a module. Returns the container itself."""
    def extend(self, modules: Any) -> Any:
        """Appends modules. Returns the container itself."""
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, module: Any) -> None: ...
    def forward(self, x: Any) -> Any:
        """Applies each module to the output of the previous one."""
def functional_call(module: Any, tensors: Any, args: Any = (), kwargs: Any = None) -> Any:
    """module(*args, **kwargs) with these tensors, by name, in place of its parameters and buffers; the
    others are unchanged. A shared tensor is replaced under all its names. The module gets its own
    tensors back afterwards, also after an exception. Concurrent calls on one module are serialised; a
    checkpoint inside the call recomputes with the same tensors.
    """
from gyre.nn import init as init
def make_model(description: Any) -> Any:
    """Creates a model from its description: a dict, a list or JSON text. Format: {"layer": NAME,
    ...options}, {"layer": "Sequential", "layers": [descriptions]}, or just a list of descriptions.
    Errors give the location in the description.
    """
from gyre.nn import utils as utils
def value_and_grad(module: Any, function: Any) -> Any:
    """A function that calls `function` and returns its result and the gradients of the result by the
    parameters of the module that require grad: a dict by name. The result is a loss of one element, or
    a tuple or list that starts with it. The grad of the parameters does not change.
    """
class Linear(Layer):
    """affine map x W^T + b of the last axis"""
    def __init__(self, in_: int = 0, out: int = 0, bias: bool = True) -> None: ...
class Embedding(Layer):
    """lookup table of learned embedding vectors, by index"""
    def __init__(self, count: int = 0, width: int = 0) -> None: ...
class Conv1d(Layer):
    """1-D convolution of [N, in, L]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True) -> None: ...
class Conv2d(Layer):
    """2-D convolution of [N, in, H, W]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True) -> None: ...
class ConvTranspose1d(Layer):
    """1-D transposed convolution of [N, in, L]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,)) -> None: ...
class ConvTranspose2d(Layer):
    """2-D transposed convolution of [N, in, H, W]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,)) -> None: ...
class MaxPool1d(Layer):
    """1-D max pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False) -> None: ...
class MaxPool2d(Layer):
    """2-D max pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False) -> None: ...
class AvgPool1d(Layer):
    """1-D average pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> None: ...
class AvgPool2d(Layer):
    """2-D average pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> None: ...
class AdaptiveAvgPool1d(Layer):
    """adaptive 1-D average pooling to a given output size"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveAvgPool2d(Layer):
    """adaptive 2-D average pooling to a given output size"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveMaxPool1d(Layer):
    """adaptive 1-D max pooling to a given output size"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveMaxPool2d(Layer):
    """adaptive 2-D max pooling to a given output size"""
    def __init__(self, size: Any = (1,)) -> None: ...
class Flatten(Layer):
    """flattens a range of axes into one"""
    def __init__(self, start: int = 1, end: int = -1) -> None: ...
class LayerNorm(Layer):
    """layer normalisation over the last axis, then learned weight and bias"""
    def __init__(self, width: int = 0, eps: float = 1e-05, bias: bool = True) -> None: ...
class RMSNorm(Layer):
    """root mean square normalisation over the last axis with a learned scale"""
    def __init__(self, width: int = 0, eps: float = 1e-05) -> None: ...
class GroupNorm(Layer):
    """group normalisation: mean 0 and variance 1 over each group of channels"""
    def __init__(self, groups: int = 1, channels: int = 0, eps: float = 1e-05, affine: bool = True) -> None: ...
class BatchNorm(Layer):
    """batch normalisation of each channel, with running statistics for evaluation"""
    def __init__(self, channels: int = 0, eps: float = 1e-05, momentum: float = 0.1, affine: bool = True, running: bool = True) -> None: ...
class Dropout(Layer):
    """zeroes elements with probability p in training, scales the rest by 1 / (1 - p)"""
    def __init__(self, p: float = 0.5) -> None: ...
class ReLU(Layer):
    """rectified linear unit: max(x, 0)"""
    def __init__(self) -> None: ...
class GELU(Layer):
    """Gaussian error linear unit: x Phi(x), Phi = standard normal CDF"""
    def __init__(self) -> None: ...
class GELUTanh(Layer):
    """tanh approximation of gelu"""
    def __init__(self) -> None: ...
class SiLU(Layer):
    """SiLU (swish): x sigmoid(x)"""
    def __init__(self) -> None: ...
class Sigmoid(Layer):
    """logistic sigmoid: 1 / (1 + e^-x)"""
    def __init__(self) -> None: ...
class Tanh(Layer):
    """hyperbolic tangent"""
    def __init__(self) -> None: ...
class Softplus(Layer):
    """log(1 + e^x)"""
    def __init__(self) -> None: ...
class Softmax(Layer):
    """softmax along an axis: e^x / sum e^x"""
    def __init__(self, axis: int = -1) -> None: ...
class LogSoftmax(Layer):
    """log-softmax along an axis: x - log sum e^x"""
    def __init__(self, axis: int = -1) -> None: ...
class LeakyReLU(Layer):
    """leaky ReLU: x where x > 0, otherwise slope x"""
    def __init__(self, slope: float = 0.01) -> None: ...
class ELU(Layer):
    """exponential linear unit: x where x > 0, otherwise alpha (e^x - 1)"""
    def __init__(self, alpha: float = 1.0) -> None: ...
class RNNCell(Layer):
    """one step of an Elman RNN"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True, nonlinearity: Any = 'tanh') -> None: ...
class LSTMCell(Layer):
    """one step of a long short-term memory (LSTM) cell"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True) -> None: ...
class GRUCell(Layer):
    """one step of a gated recurrent unit (GRU) cell"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True) -> None: ...
class RNN(Layer):
    """multi-layer Elman RNN over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, nonlinearity: Any = 'tanh') -> None: ...
class LSTM(Layer):
    """multi-layer long short-term memory (LSTM) over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False) -> None: ...
class GRU(Layer):
    """multi-layer gated recurrent unit (GRU) over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False) -> None: ...
class MultiHeadAttention(Layer):
    """scaled dot-product attention with several heads and learned projections"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, causal: bool = False, dropout: float = 0.0) -> None: ...
class TransformerEncoderLayer(Layer):
    """self-attention and feed-forward network with residual connections"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05) -> None: ...
class TransformerDecoderLayer(Layer):
    """self-attention, cross-attention to memory and feed-forward network"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05) -> None: ...
class TransformerEncoder(Layer):
    """stack of transformer encoder layers"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False) -> None: ...
class TransformerDecoder(Layer):
    """stack of transformer decoder layers"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False) -> None: ...
class Curvature(Layer):
    """learnable c > 0: softplus(k), or c_min + (c_max - c_min) sigmoid(k); takes no inputs"""
    def __init__(self, c: float = 1.0, c_min: float = 0.0, c_max: float = 0.0, rows: int = 0) -> None: ...
class HypLinear(Layer):
    """Möbius linear layer exp0(W log0(x)) ⊕ bias between Poincaré balls"""
    def __init__(self, in_: int = 0, out: int = 0, form: Any = 'tangent', c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareLinear(Layer):
    """Poincaré fully connected layer (Shimizu et al. 2021, eq. 7)"""
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareMLR(Layer):
    """multinomial logistic regression on the Poincaré ball (Shimizu et al. 2021, eq. 6): signed
    distances to class hyperplanes
    """
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class LorentzLinear(Layer):
    """Lorentz linear layer between hyperboloids (Chen et al. 2022, section 3.1)"""
    def __init__(self, in_: int = 0, out: int = 0, scale: float = 10.0, c: float = 1.0, learn_c: bool = False) -> None: ...
class LorentzMLR(Layer):
    """multinomial logistic regression on the hyperboloid (Bdeir et al. 2024): signed distances to class
    hyperplanes
    """
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class ToBall(Layer):
    """exponential map at the origin: features to points of the Poincaré ball"""
    def __init__(self, c: float = 1.0, learn_c: bool = False) -> None: ...
class FromBall(Layer):
    """logarithmic map at the origin: points of the Poincaré ball to features"""
    def __init__(self, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareEmbedding(Layer):
    """embedding table of points of the Poincaré ball"""
    def __init__(self, count: int = 0, width: int = 0, radius: float = 0.001, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareBatchNorm(Layer):
    """batch normalisation of points of the Poincaré ball by midpoint and variance"""
    def __init__(self, width: int = 0, eps: float = 1e-05, momentum: float = 0.1, c: float = 1.0, learn_c: bool = False) -> None: ...
class MidpointPool1d(Layer):
    """pooling by midpoints of windows of points of the Poincaré ball"""
    def __init__(self, kernel: Any = (), stride: Any = (), c: float = 1.0, learn_c: bool = False) -> None: ...
class MidpointPool2d(Layer):
    """pooling by midpoints of windows of points of the Poincaré ball"""
    def __init__(self, kernel: Any = (), stride: Any = (), c: float = 1.0, learn_c: bool = False) -> None: ...
class DistanceAttention(Layer):
    """hyperbolic attention: Lorentz centroids of values, weights softmax(-slope d(query, key)^2)"""
    def __init__(self, slope: float = 1.0, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareConv1d(Layer):
    """Poincaré convolution: beta-concatenation of windows, then a fully connected layer (Shimizu et al.
    2021)
    """
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareConv2d(Layer):
    """Poincaré convolution: beta-concatenation of windows, then a fully connected layer (Shimizu et al.
    2021)
    """
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), c: float = 1.0, learn_c: bool = False) -> None: ...
class HyperButterfly(Layer):
    """butterfly linear map exp0(B_L ... B_1 log0(x)) of the Poincaré ball, B_l of 2x2 blocks"""
    def __init__(self, width: int = 0, levels: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class SplineLinear(Layer):
    """Möbius linear layer whose weight rows lie on a Catmull-Rom spline"""
    def __init__(self, in_: int = 0, out: int = 0, points: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class PackedLinear(Layer):
    """affine map x W^T + b of the last axis, W packed"""
    def __init__(self, in_: int = 0, out: int = 0, format: Any = 'D4', bias: bool = True) -> None: ...
class CausalSelfAttention(Layer):
    """causal multi-head self-attention, by default as in GPT-2"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, dropout: float = 0.0, eps: float = 1e-05, positions: Any = 'learned', rope_base: float = 10000.0, head_norm: Any = 'none', kv_heads: int = 0, head_size: int = 0, window: int = 0) -> None: ...
class MLP(Layer):
    """multilayer perceptron: two linear layers with an activation between"""
    def __init__(self, width: int = 0, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0, gated: bool = False) -> None: ...
class TransformerBlock(Layer):
    """transformer block of decoders: attention and MLP with residuals"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0, eps: float = 1e-05, positions: Any = 'learned', rope_base: float = 10000.0, norm: Any = 'layer', norm_place: Any = 'before', head_norm: Any = 'none', gated: bool = False, kv_heads: int = 0, head_size: int = 0, window: int = 0) -> None: ...
class GPT(Layer):
    """decoder-only transformer, by default GPT-2 (Radford et al. 2019): next-token logits"""
    def __init__(self, vocab: int = 0, block_size: int = 1024, layers: int = 12, width: int = 768, heads: int = 12, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', tie_embeddings: bool = True, dropout: float = 0.0, eps: float = 1e-05, positions: Any = 'learned', rope_base: float = 10000.0, norm: Any = 'layer', norm_place: Any = 'before', norm_embeddings: bool = False, head_norm: Any = 'none', gated: bool = False, kv_heads: int = 0, head_size: int = 0, window: int = 0) -> None: ...
