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
    """A PyTorch module that wraps a gyre.nn.Module, its attribute `gyre`. train() and eval() also set
    the mode of that. In training, buffers are updated as in PyTorch's modules.
    """
    def __init__(self, module: Any) -> None: ...
    def forward(self, *inputs: Any) -> Any:
        """The module's results; inputs in order, None for an absent one."""
    def train(self, mode: Any = True) -> Any:
        """Set the module in training mode."""
    def extra_repr(self) -> Any:
        """Return the extra representation of the module."""
    def __getattr__(self, name: str, /) -> Any: ...
class Linear(Module):
    """affine map x W^T + b of the last axis"""
    def __init__(self, in_: int = 0, out: int = 0, bias: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class Embedding(Module):
    """lookup table of learned embedding vectors, by index"""
    def __init__(self, count: int = 0, width: int = 0, *, device: Any = None, dtype: Any = None) -> None: ...
class Conv1d(Module):
    """1-D convolution of [N, in, L]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class Conv2d(Module):
    """2-D convolution of [N, in, H, W]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class ConvTranspose1d(Module):
    """1-D transposed convolution of [N, in, L]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,), *, device: Any = None, dtype: Any = None) -> None: ...
class ConvTranspose2d(Module):
    """2-D transposed convolution of [N, in, H, W]"""
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), dilation: Any = (1,), groups: int = 1, bias: bool = True, output_padding: Any = (0,), *, device: Any = None, dtype: Any = None) -> None: ...
class MaxPool1d(Module):
    """1-D max pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class MaxPool2d(Module):
    """2-D max pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), dilation: Any = (1,), ceil_mode: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class AvgPool1d(Module):
    """1-D average pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class AvgPool2d(Module):
    """2-D average pooling"""
    def __init__(self, kernel: Any = (1,), stride: Any = (), padding: Any = (0,), ceil_mode: bool = False, count_include_pad: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class AdaptiveAvgPool1d(Module):
    """adaptive 1-D average pooling to a given output size"""
    def __init__(self, size: Any = (1,), *, device: Any = None, dtype: Any = None) -> None: ...
class AdaptiveAvgPool2d(Module):
    """adaptive 2-D average pooling to a given output size"""
    def __init__(self, size: Any = (1,), *, device: Any = None, dtype: Any = None) -> None: ...
class AdaptiveMaxPool1d(Module):
    """adaptive 1-D max pooling to a given output size"""
    def __init__(self, size: Any = (1,), *, device: Any = None, dtype: Any = None) -> None: ...
class AdaptiveMaxPool2d(Module):
    """adaptive 2-D max pooling to a given output size"""
    def __init__(self, size: Any = (1,), *, device: Any = None, dtype: Any = None) -> None: ...
class Flatten(Module):
    """flattens a range of axes into one"""
    def __init__(self, start: int = 1, end: int = -1, *, device: Any = None, dtype: Any = None) -> None: ...
class LayerNorm(Module):
    """layer normalisation over the last axis, then learned weight and bias"""
    def __init__(self, width: int = 0, eps: float = 1e-05, bias: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class RMSNorm(Module):
    """root mean square normalisation over the last axis with a learned scale"""
    def __init__(self, width: int = 0, eps: float = 1e-05, *, device: Any = None, dtype: Any = None) -> None: ...
class GroupNorm(Module):
    """group normalisation: mean 0 and variance 1 over each group of channels"""
    def __init__(self, groups: int = 1, channels: int = 0, eps: float = 1e-05, affine: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class BatchNorm(Module):
    """batch normalisation of each channel, with running statistics for evaluation"""
    def __init__(self, channels: int = 0, eps: float = 1e-05, momentum: float = 0.1, affine: bool = True, running: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class Dropout(Module):
    """zeroes elements with probability p in training, scales the rest by 1 / (1 - p)"""
    def __init__(self, p: float = 0.5, inplace: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class ReLU(Module):
    """rectified linear unit: max(x, 0)"""
    def __init__(self, inplace: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class GELU(Module):
    """Gaussian error linear unit: x Phi(x), Phi = standard normal CDF"""
    def __init__(self, *, device: Any = None, dtype: Any = None) -> None: ...
class GELUTanh(Module):
    """tanh approximation of gelu"""
    def __init__(self, *, device: Any = None, dtype: Any = None) -> None: ...
class SiLU(Module):
    """SiLU (swish): x sigmoid(x)"""
    def __init__(self, inplace: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class Sigmoid(Module):
    """logistic sigmoid: 1 / (1 + e^-x)"""
    def __init__(self, *, device: Any = None, dtype: Any = None) -> None: ...
class Tanh(Module):
    """hyperbolic tangent"""
    def __init__(self, *, device: Any = None, dtype: Any = None) -> None: ...
class Softplus(Module):
    """log(1 + e^x)"""
    def __init__(self, *, device: Any = None, dtype: Any = None) -> None: ...
class Softmax(Module):
    """softmax along an axis: e^x / sum e^x"""
    def __init__(self, axis: int = -1, *, device: Any = None, dtype: Any = None) -> None: ...
class LogSoftmax(Module):
    """log-softmax along an axis: x - log sum e^x"""
    def __init__(self, axis: int = -1, *, device: Any = None, dtype: Any = None) -> None: ...
class LeakyReLU(Module):
    """leaky ReLU: x where x > 0, otherwise slope x"""
    def __init__(self, slope: float = 0.01, inplace: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class ELU(Module):
    """exponential linear unit: x where x > 0, otherwise alpha (e^x - 1)"""
    def __init__(self, alpha: float = 1.0, inplace: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class RNNCell(Module):
    """one step of an Elman RNN"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True, nonlinearity: Any = 'tanh', *, device: Any = None, dtype: Any = None) -> None: ...
class LSTMCell(Module):
    """one step of a long short-term memory (LSTM) cell"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class GRUCell(Module):
    """one step of a gated recurrent unit (GRU) cell"""
    def __init__(self, in_: int = 0, hidden: int = 0, bias: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class RNN(Module):
    """multi-layer Elman RNN over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, nonlinearity: Any = 'tanh', *, device: Any = None, dtype: Any = None) -> None: ...
class LSTM(Module):
    """multi-layer long short-term memory (LSTM) over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class GRU(Module):
    """multi-layer gated recurrent unit (GRU) over sequences"""
    def __init__(self, in_: int = 0, hidden: int = 0, layers: int = 1, bias: bool = True, batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class MultiHeadAttention(Module):
    """scaled dot-product attention with several heads and learned projections"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, causal: bool = False, dropout: float = 0.0, *, device: Any = None, dtype: Any = None) -> None: ...
class TransformerEncoderLayer(Module):
    """self-attention and feed-forward network with residual connections"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, *, device: Any = None, dtype: Any = None) -> None: ...
class TransformerDecoderLayer(Module):
    """self-attention, cross-attention to memory and feed-forward network"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, *, device: Any = None, dtype: Any = None) -> None: ...
class TransformerEncoder(Module):
    """stack of transformer encoder layers"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class TransformerDecoder(Module):
    """stack of transformer decoder layers"""
    def __init__(self, layers: int = 1, width: int = 0, heads: int = 1, inner: int = 0, dropout: float = 0.1, activation: Any = 'relu', norm_first: bool = False, causal: bool = False, bias: bool = True, eps: float = 1e-05, norm: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class Curvature(Module):
    """learnable c > 0: softplus(k), or c_min + (c_max - c_min) sigmoid(k); takes no inputs"""
    def __init__(self, c: float = 1.0, c_min: float = 0.0, c_max: float = 0.0, rows: int = 0, *, device: Any = None, dtype: Any = None) -> None: ...
class HypLinear(Module):
    """Möbius linear layer exp0(W log0(x)) ⊕ bias between Poincaré balls"""
    def __init__(self, in_: int = 0, out: int = 0, form: Any = 'tangent', c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class PoincareLinear(Module):
    """Poincaré fully connected layer (Shimizu et al. 2021, eq. 7)"""
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class PoincareMLR(Module):
    """multinomial logistic regression on the Poincaré ball (Shimizu et al. 2021, eq. 6): signed
    distances to class hyperplanes
    """
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class LorentzLinear(Module):
    """Lorentz linear layer between hyperboloids (Chen et al. 2022, section 3.1)"""
    def __init__(self, in_: int = 0, out: int = 0, scale: float = 10.0, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class LorentzMLR(Module):
    """multinomial logistic regression on the hyperboloid (Bdeir et al. 2024): signed distances to class
    hyperplanes
    """
    def __init__(self, in_: int = 0, out: int = 0, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class ToBall(Module):
    """exponential map at the origin: features to points of the Poincaré ball"""
    def __init__(self, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class FromBall(Module):
    """logarithmic map at the origin: points of the Poincaré ball to features"""
    def __init__(self, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class PoincareEmbedding(Module):
    """embedding table of points of the Poincaré ball"""
    def __init__(self, count: int = 0, width: int = 0, radius: float = 0.001, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class PoincareBatchNorm(Module):
    """batch normalisation of points of the Poincaré ball by midpoint and variance"""
    def __init__(self, width: int = 0, eps: float = 1e-05, momentum: float = 0.1, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class MidpointPool1d(Module):
    """pooling by midpoints of windows of points of the Poincaré ball"""
    def __init__(self, kernel: Any = (), stride: Any = (), c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class MidpointPool2d(Module):
    """pooling by midpoints of windows of points of the Poincaré ball"""
    def __init__(self, kernel: Any = (), stride: Any = (), c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class DistanceAttention(Module):
    """hyperbolic attention: Lorentz centroids of values, weights softmax(-slope d(query, key)^2)"""
    def __init__(self, slope: float = 1.0, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class PoincareConv1d(Module):
    """Poincaré convolution: beta-concatenation of windows, then a fully connected layer (Shimizu et al.
    2021)
    """
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class PoincareConv2d(Module):
    """Poincaré convolution: beta-concatenation of windows, then a fully connected layer (Shimizu et al.
    2021)
    """
    def __init__(self, in_: int = 0, out: int = 0, kernel: Any = (), stride: Any = (1,), padding: Any = (0,), c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class HyperButterfly(Module):
    """butterfly linear map exp0(B_L ... B_1 log0(x)) of the Poincaré ball, B_l of 2x2 blocks"""
    def __init__(self, width: int = 0, levels: int = 0, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class SplineLinear(Module):
    """Möbius linear layer whose weight rows lie on a Catmull-Rom spline"""
    def __init__(self, in_: int = 0, out: int = 0, points: int = 0, c: float = 1.0, learn_c: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class PackedLinear(Module):
    """affine map x W^T + b of the last axis, W packed"""
    def __init__(self, in_: int = 0, out: int = 0, format: Any = 'D4', bias: bool = True, *, device: Any = None, dtype: Any = None) -> None: ...
class CausalSelfAttention(Module):
    """causal multi-head self-attention, by default as in GPT-2"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, dropout: float = 0.0, eps: float = 1e-05, positions: Any = 'learned', rope_base: float = 10000.0, head_norm: Any = 'none', kv_heads: int = 0, head_size: int = 0, window: int = 0, *, device: Any = None, dtype: Any = None) -> None: ...
class MLP(Module):
    """multilayer perceptron: two linear layers with an activation between"""
    def __init__(self, width: int = 0, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0, gated: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class TransformerBlock(Module):
    """transformer block of decoders: attention and MLP with residuals"""
    def __init__(self, width: int = 0, heads: int = 1, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', dropout: float = 0.0, eps: float = 1e-05, positions: Any = 'learned', rope_base: float = 10000.0, norm: Any = 'layer', norm_place: Any = 'before', head_norm: Any = 'none', gated: bool = False, kv_heads: int = 0, head_size: int = 0, window: int = 0, *, device: Any = None, dtype: Any = None) -> None: ...
class GPT(Module):
    """decoder-only transformer, by default GPT-2 (Radford et al. 2019): next-token logits"""
    def __init__(self, vocab: int = 0, block_size: int = 1024, layers: int = 12, width: int = 768, heads: int = 12, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', tie_embeddings: bool = True, dropout: float = 0.0, eps: float = 1e-05, positions: Any = 'learned', rope_base: float = 10000.0, norm: Any = 'layer', norm_place: Any = 'before', norm_embeddings: bool = False, head_norm: Any = 'none', gated: bool = False, kv_heads: int = 0, head_size: int = 0, window: int = 0, separate: bool = False, attention_bias: Any = 'as_bias', norm_offset: bool = False, rotary_size: int = 0, rope_scaling: Any = 'none', rope_factor: float = 1.0, rope_slow: float = 1.0, rope_fast: float = 4.0, rope_attention: float = 1.0, rope_original: int = 0, rope_truncate: bool = True, rope_interleaved: bool = False, rope_short: Any = ..., rope_long: Any = ..., layer_types: Any = ..., window_rope_base: float = 0.0, embedding_scale: float = 1.0, attention_scale: float = 0.0, residual_scale: float = 1.0, logit_scale: float = 1.0, score_cap: float = 0.0, logit_cap: float = 0.0, *, device: Any = None, dtype: Any = None) -> None: ...
