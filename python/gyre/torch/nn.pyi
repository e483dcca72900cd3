# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Module:
    """A gyre.nn.Module as a module of PyTorch, which keeps it as `gyre`. train() and eval() set its
    mode too. In training its buffers follow, as those of PyTorch's modules do.
    """
    def __init__(self, module: Any) -> None: ...
    def forward(self, *inputs: Any) -> Any:
        """The module's results; inputs in its order, None for one that is absent."""
    def train(self, mode: Any = True) -> Any:
        """Set the module in training mode."""
    def extra_repr(self) -> Any:
        """Return the extra representation of the module."""
    def __getattr__(self, name: str, /) -> Any: ...
class Linear(Module):
    """x W^T + bias on the last axis"""
    def __init__(self, in_: int = 0, out: int = 0, bias: bool = True) -> None: ...
class Embedding(Module):
    """rows of a trained table by number"""
    def __init__(self, count: int = 0, width: int = 0) -> None: ...
class Conv1d(Module):
    """convolution of signals with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True) -> None: ...
class Conv2d(Module):
    """convolution of images with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True) -> None: ...
class ConvTranspose1d(Module):
    """transposed convolution of signals with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,)) -> None: ...
class ConvTranspose2d(Module):
    """transposed convolution of images with trained filters"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,)) -> None: ...
class MaxPool1d(Module):
    """the largest of each window of signals"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False) -> None: ...
class MaxPool2d(Module):
    """the largest of each window of images"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False) -> None: ...
class AvgPool1d(Module):
    """the mean of each window of signals"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> None: ...
class AvgPool2d(Module):
    """the mean of each window of images"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True) -> None: ...
class AdaptiveAvgPool1d(Module):
    """the mean of windows that share out signals"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveAvgPool2d(Module):
    """the mean of windows that share out images"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveMaxPool1d(Module):
    """the largest of windows that share out signals"""
    def __init__(self, size: Any = (1,)) -> None: ...
class AdaptiveMaxPool2d(Module):
    """the largest of windows that share out images"""
    def __init__(self, size: Any = (1,)) -> None: ...
class Flatten(Module):
    """axes joined to one"""
    def __init__(self, start: int = 1, end: int = -1) -> None: ...
class LayerNorm(Module):
    """rows brought to mean 0 and variance 1, times weight, plus bias"""
    def __init__(self, width: int = 0, eps: float = 1e-05, bias: bool = True) -> None: ...
class RMSNorm(Module):
    """rows brought to a mean square of 1, times a trained weight"""
    def __init__(self, width: int = 0, eps: float = 1e-05) -> None: ...
class GroupNorm(Module):
    """groups of channels brought to mean 0 and variance 1"""
    def __init__(self, groups: int = 1, channels: int = 0, eps: float = 1e-05, affine: bool = True) -> None: ...
class BatchNorm(Module):
    """channels brought to mean 0 and variance 1 over the batch"""
    def __init__(self, channels: int = 0, eps: float = 1e-05, momentum: float = 0.1, affine: bool = True, running: bool = True) -> None: ...
class Dropout(Module):
    """in training, drops a share of the values and lets the others grow"""
    def __init__(self, share: float = 0.5) -> None: ...
class ReLU(Module):
    """max(x, 0)"""
    def __init__(self) -> None: ...
class GELU(Module):
    """x Phi(x), Phi the normal distribution function"""
    def __init__(self) -> None: ...
class GELUTanh(Module):
    """gelu in its tanh approximation"""
    def __init__(self) -> None: ...
class SiLU(Module):
    """x sigmoid(x)"""
    def __init__(self) -> None: ...
class Sigmoid(Module):
    """1 / (1 + e^-x)"""
    def __init__(self) -> None: ...
class Tanh(Module):
    """hyperbolic tangent"""
    def __init__(self) -> None: ...
class Softplus(Module):
    """log(1 + e^x)"""
    def __init__(self) -> None: ...
class Softmax(Module):
    """e^x / sum e^x along an axis"""
    def __init__(self, axis: int = -1) -> None: ...
class LogSoftmax(Module):
    """x - log sum e^x along an axis"""
    def __init__(self, axis: int = -1) -> None: ...
class LeakyReLU(Module):
    """x above 0, slope x below"""
    def __init__(self, slope: float = 0.01) -> None: ...
class ELU(Module):
    """x above 0, alpha (e^x - 1) below"""
    def __init__(self, alpha: float = 1.0) -> None: ...
class RNNCell(Module):
    """one step of a simple recurrent network"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True, nonlinearity: Any = 'tanh') -> None: ...
class LSTMCell(Module):
    """one step of a network with long short-term memory"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True) -> None: ...
class GRUCell(Module):
    """one step of a network of gated recurrent units"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True) -> None: ...
class RNN(Module):
    """a simple recurrent network over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, nonlinearity: Any = 'tanh') -> None: ...
class LSTM(Module):
    """long short-term memory over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False) -> None: ...
class GRU(Module):
    """gated recurrent units over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False) -> None: ...
class MultiHeadAttention(Module):
    """attention of tokens to tokens by several heads"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, causal: bool = False, dropout: float = 0.0) -> None: ...
class TransformerEncoderLayer(Module):
    """attention and two linear layers, each added to its input"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05) -> None: ...
class TransformerDecoderLayer(Module):
    """an encoder layer that also attends to a memory"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05) -> None: ...
class TransformerEncoder(Module):
    """encoder layers one after the other"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False) -> None: ...
class TransformerDecoder(Module):
    """decoder layers one after the other"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False) -> None: ...
class CausalSelfAttention(Module):
    """attention of tokens to themselves and those before, as in GPT-2"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, dropout: float = 0.0) -> None: ...
class MLP(Module):
    """two linear layers with an activation between them"""
    def __init__(self, width: int = 0, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0) -> None: ...
class TransformerBlock(Module):
    """a block of GPT-2: attention and MLP behind norms, each added"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0, eps: float = 1e-05) -> None: ...
class GPT(Module):
    """GPT-2: logits of the token that follows each token (Radford et al. 2019)"""
    def __init__(self, vocab: int = 0, block: int = 1024, layers: int = 12, heads: int = 12, width: int = 768, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', tied: bool = True, dropout: float = 0.0, eps: float = 1e-05) -> None: ...
