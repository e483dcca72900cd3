# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Layer(Module):
    """A layer of the table, computed in C++. Its tensors are attributes (`layer.weight`), and so are
    the modules that it is made of (`block.attn`, or a list of them, `gpt.h`). Options are given by name
    or in the order of the table; one whose name is a keyword of Python is written with an underscore
    behind it (`in_`).
    """
    @property
    def options(self) -> Any: ...
    @property
    def training(self) -> Any: ...
    @training.setter
    def training(self, value: Any) -> None: ...
    def __getattr__(self, name: Any) -> Any: ...
    def named_children(self) -> Any:
        """(name, module) of the modules directly inside."""
    def extra_repr(self) -> Any:
        """What stands in brackets behind the class; a subclass may say more."""
class Module:
    """A layer or a model. A subclass calls super().__init__(), sets Parameters and Modules as
    attributes (tensors that are not trained by register_buffer) and defines forward; all else follows:
    """
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __init__(self) -> None: ...
    def forward(self, *args: Any, **kwargs: Any) -> Any: ...
    def named_parameters(self) -> list[Any]:
        """(name, Parameter) of all that is trained, here and in modules inside; one that has several names
        comes once, under the first.
        """
    def named_buffers(self) -> list[Any]:
        """(name, tensor) of all that belongs to the state and is not trained."""
    def parameters(self) -> list[Any]:
        """All that is trained, each tensor once."""
    def parameter_count(self) -> int:
        """Numbers in all parameters."""
    def state_dict(self) -> dict[Any, Any]:
        """Parameters and buffers by name, which share the module's memory; a tensor with several names is
        there once, under the first.
        """
    def load_state_dict(self, state: object, strict: bool = True) -> tuple[Any, ...]:
        """Copies values by name into the module's tensors, in their dtypes. ValueError for names that are
        missing or unknown, ShapeError where only shapes differ; then nothing has changed. With strict=False
        tensors that are missing stay. Gives the lists of names that are missing and unknown.
        """
    def zero_grad(self) -> None:
        """Drops the gradients of all parameters."""
    def requires_grad_(self, requires_grad: bool = True) -> object:
        """Whether parameters want gradients. Gives the module itself."""
    def to(self, dtype: object) -> object:
        """Casts floating parameters, and floating buffers, but these to no less than f32. Optimisers made
        before hold the old tensors. Gives the module itself.
        """
    def register_buffer(self, name: Any, tensor: Any) -> Any:
        """A tensor (or None) that belongs to the state and is not trained; its memory is shared."""
    def register_parameter(self, name: Any, parameter: Any) -> Any:
        """As setting the attribute; None stands for one that is absent."""
    def add_module(self, name: Any, module: Any) -> Any:
        """As setting the attribute, for names that are no attributes' ("0")."""
    def named_children(self) -> Any:
        """(name, module) of the modules directly inside."""
    def children(self) -> Any:
        """The modules directly inside."""
    def named_modules(self, prefix: Any = '', _seen: Any = None) -> Any:
        """(name, module) of this, called `prefix`, and all inside, each once."""
    def modules(self) -> Any:
        """This and all modules inside, each once."""
    def get_submodule(self, path: Any) -> Any:
        """The module of that name, as named_modules gives it."""
    def apply(self, function: Any) -> Any:
        """Calls function(module) for all modules inside, then for this. Gives the module itself."""
    def train(self, mode: Any = True) -> Any:
        """Sets `training`, which layers such as dropout go by, here and in all modules inside. Gives the
        module itself.
        """
    def eval(self) -> Any:
        """train(False)."""
    def extra_repr(self) -> Any:
        """What stands in brackets behind the class; a subclass may say more."""
    def __getattr__(self, name: str, /) -> Any: ...
class ModuleDict(Module):
    """Modules by name."""
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
        """The names."""
    def values(self) -> Any:
        """The modules."""
    def items(self) -> Any:
        """(name, module)."""
class ModuleList(Module):
    """A list of modules, named "0", "1", ..."""
    def __init__(self, modules: Any = ()) -> None: ...
    def append(self, module: Any) -> Any:
        """One more at the end. Gives the container itself."""
    def extend(self, modules: Any) -> Any:
        """More at the end. Gives the container itself."""
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, module: Any) -> None: ...
class Parameter:
    """A tensor that a module trains once it is an attribute of it: a leaf of its own. It shares the memory of a gyre.Tensor that lies in one piece, all else is copied."""
    def __init__(self, data: object, requires_grad: bool = True) -> None: ...
    def __deepcopy__(self, memo: object) -> object: ...
    def __copy__(self) -> object: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
class Sequential(Module):
    """Modules one after the other, named "0", "1", ...: Sequential(first, second), or of a dict, by its
    names.
    """
    def __init__(self, *modules: Any) -> None: ...
    def append(self, module: Any) -> Any:
        """One more at the end. Gives the container itself."""
    def extend(self, modules: Any) -> Any:
        """More at the end. Gives the container itself."""
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, module: Any) -> None: ...
    def forward(self, x: Any) -> Any:
        """Each module is given what the one before gave."""
def functional_call(module: Any, tensors: Any, args: Any = (), kwargs: Any = None) -> Any:
    """module(*args, **kwargs) with these tensors, by name, in the place of its parameters and buffers;
    others stay its own. A tensor that the module has under several names is replaced under all of them.
    Afterwards, and after an error, it has its own again. Threads that do so with one module take turns;
    a checkpoint inside has the same tensors when it runs again.
    """
from gyre.nn import init as init
def make_model(description: Any) -> Any:
    """A model by its description, a dict, a list or JSON text: {"layer": NAME, ...options}, or
    {"layer": "Sequential", "layers": [descriptions]}, or such a list alone. Errors tell where in it.
    """
class Linear(Layer):
    """x W^T + bias on the last axis"""
    def __init__(self, in_: int = 0, out: int = 0, bias: bool = True) -> None: ...
class Embedding(Layer):
    """rows of a trained table by number"""
    def __init__(self, count: int = 0, width: int = 0) -> None: ...
class Conv1d(Layer):
    """convolution of signals with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True) -> None: ...
class Conv2d(Layer):
    """convolution of images with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True) -> None: ...
class ConvTranspose1d(Layer):
    """transposed convolution of signals with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,)) -> None: ...
class ConvTranspose2d(Layer):
    """transposed convolution of images with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,)) -> None: ...
class MaxPool1d(Layer):
    """the largest of each window of signals"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False) -> None: ...
class MaxPool2d(Layer):
    """the largest of each window of images"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False) -> None: ...
class AvgPool1d(Layer):
    """the mean of each window of signals"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> None: ...
class AvgPool2d(Layer):
    """the mean of each window of images"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> None: ...
class AdaptiveAvgPool1d(Layer):
    """the mean of windows that share out signals"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveAvgPool2d(Layer):
    """the mean of windows that share out images"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveMaxPool1d(Layer):
    """the largest of windows that share out signals"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveMaxPool2d(Layer):
    """the largest of windows that share out images"""
    def __init__(self, size: Any = (1,)) -> None: ...
class Flatten(Layer):
    """axes joined to one"""
    def __init__(self, start: int = 1, end: int = -1) -> None: ...
class LayerNorm(Layer):
    """rows brought to mean 0 and variance 1, times weight, plus bias"""
    def __init__(self, width: int = 0, eps: float = 1e-05, bias: bool = True) -> None: ...
class RMSNorm(Layer):
    """rows brought to a mean square of 1, times a trained weight"""
    def __init__(self, width: int = 0, eps: float = 1e-05) -> None: ...
class GroupNorm(Layer):
    """groups of channels brought to mean 0 and variance 1"""
    def __init__(self, groups: int = 1, channels: int = 0, eps: float = 1e-05, affine: bool = True) -> None: ...
class BatchNorm(Layer):
    """channels brought to mean 0 and variance 1 over the batch"""
    def __init__(self, channels: int = 0, eps: float = 1e-05, momentum: float = 0.1, affine: bool = True, running: bool = True) -> None: ...
class Dropout(Layer):
    """in training, drops a share of the values and lets the others grow"""
    def __init__(self, share: float = 0.5) -> None: ...
class ReLU(Layer):
    """max(x, 0)"""
    def __init__(self) -> None: ...
class GELU(Layer):
    """x Phi(x), Phi the normal distribution function"""
    def __init__(self) -> None: ...
class GELUTanh(Layer):
    """gelu in its tanh approximation"""
    def __init__(self) -> None: ...
class SiLU(Layer):
    """x sigmoid(x)"""
    def __init__(self) -> None: ...
class Sigmoid(Layer):
    """1 / (1 + e^-x)"""
    def __init__(self) -> None: ...
class Tanh(Layer):
    """hyperbolic tangent"""
    def __init__(self) -> None: ...
class Softplus(Layer):
    """log(1 + e^x)"""
    def __init__(self) -> None: ...
class Softmax(Layer):
    """e^x / sum e^x along an axis"""
    def __init__(self, axis: int = -1) -> None: ...
class LogSoftmax(Layer):
    """x - log sum e^x along an axis"""
    def __init__(self, axis: int = -1) -> None: ...
class LeakyReLU(Layer):
    """x above 0, slope x below"""
    def __init__(self, slope: float = 0.01) -> None: ...
class ELU(Layer):
    """x above 0, alpha (e^x - 1) below"""
    def __init__(self, alpha: float = 1.0) -> None: ...
class RNNCell(Layer):
    """one step of a simple recurrent network"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True, nonlinearity: Any = 'tanh') -> None: ...
class LSTMCell(Layer):
    """one step of a network with long short-term memory"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True) -> None: ...
class GRUCell(Layer):
    """one step of a network of gated recurrent units"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True) -> None: ...
class RNN(Layer):
    """a simple recurrent network over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, nonlinearity: Any = 'tanh') -> None: ...
class LSTM(Layer):
    """long short-term memory over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False) -> None: ...
class GRU(Layer):
    """gated recurrent units over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False) -> None: ...
class MultiHeadAttention(Layer):
    """attention of tokens to tokens by several heads"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, causal: bool = False, dropout: float = 0.0) -> None: ...
class TransformerEncoderLayer(Layer):
    """attention and two linear layers, each added to its input"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05) -> None: ...
class TransformerDecoderLayer(Layer):
    """an encoder layer that also attends to a memory"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05) -> None: ...
class TransformerEncoder(Layer):
    """encoder layers one after the other"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False) -> None: ...
class TransformerDecoder(Layer):
    """decoder layers one after the other"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False) -> None: ...
class CausalSelfAttention(Layer):
    """attention of tokens to themselves and those before, as in GPT-2"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, dropout: float = 0.0) -> None: ...
class MLP(Layer):
    """two linear layers with an activation between them"""
    def __init__(self, width: int = 0, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0) -> None: ...
class TransformerBlock(Layer):
    """a block of GPT-2: attention and MLP behind norms, each added"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0, eps: float = 1e-05) -> None: ...
class Curvature(Layer):
    """a learned c above 0: softplus(k), or c_min + (c_max - c_min) sigmoid(k); of no inputs"""
    def __init__(self, c: float = 1.0, c_min: float = 0.0, c_max: float = 0.0, rows: int = 0) -> None: ...
class HypLinear(Layer):
    """exp0(W log0(x)) + bias, Moebius, between Poincare balls"""
    def __init__(self, in_: int = 0, out: int = 0, form: Any = 'tangent', c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareLinear(Layer):
    """points at signed distances from hyperplanes (Shimizu et al. 2021, eq. 7)"""
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareMLR(Layer):
    """signed distances from the hyperplanes of classes (Shimizu et al. 2021, eq. 6)"""
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class LorentzLinear(Layer):
    """a linear map between hyperboloids (Chen et al. 2022, section 3.1)"""
    def __init__(self, in_: int = 0, out: int = 0, scale: float = 10.0, c: float = 1.0, learn_c: bool = False) -> None: ...
class LorentzMLR(Layer):
    """signed distances from the hyperplanes of classes (Bdeir et al. 2024)"""
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class ToBall(Layer):
    """features to points of the Poincare ball, by exp0"""
    def __init__(self, c: float = 1.0, learn_c: bool = False) -> None: ...
class FromBall(Layer):
    """points of the Poincare ball to features, by log0"""
    def __init__(self, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareEmbedding(Layer):
    """points of the Poincare ball by number"""
    def __init__(self, count: int = 0, width: int = 0, radius: float = 0.001, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareBatchNorm(Layer):
    """points of the ball brought to a learned midpoint and variance"""
    def __init__(self, width: int = 0, eps: float = 1e-05, momentum: float = 0.1, c: float = 1.0, learn_c: bool = False) -> None: ...
class MidpointPool1d(Layer):
    """midpoints of windows of points of the Poincare ball"""
    def __init__(self, kernel: Any = (), stride: Any = (), c: float = 1.0, learn_c: bool = False) -> None: ...
class MidpointPool2d(Layer):
    """midpoints of windows of points of the Poincare ball"""
    def __init__(self, kernel: Any = (), stride: Any = (), c: float = 1.0, learn_c: bool = False) -> None: ...
class DistanceAttention(Layer):
    """Lorentz centroids of values, weighted by distances of queries and keys"""
    def __init__(self, slope: float = 1.0, c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareConv1d(Layer):
    """windows of points joined, through a fully connected layer"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), c: float = 1.0, learn_c: bool = False) -> None: ...
class PoincareConv2d(Layer):
    """windows of points joined, through a fully connected layer"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), c: float = 1.0, learn_c: bool = False) -> None: ...
class HyperButterfly(Layer):
    """exp0(B_L ... B_1 log0(x)), B_l of 2x2 blocks"""
    def __init__(self, width: int = 0, levels: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class SplineLinear(Layer):
    """a linear map of the ball whose weight has rows on a spline"""
    def __init__(self, in_: int = 0, out: int = 0, points: int = 0, c: float = 1.0, learn_c: bool = False) -> None: ...
class GPT(Layer):
    """GPT-2: logits of the token that follows each token (Radford et al. 2019)"""
    def __init__(self, vocab: int = 0, block: int = 1024, layers: int = 12, heads: int = 12, width: int = 768, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', tied: bool = True, dropout: float = 0.0, eps: float = 1e-05) -> None: ...
