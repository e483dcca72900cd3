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
    """Lookup table of learned embedding vectors, by index. The row padding_idx begins as zeros and gets
    no gradient.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class Conv1d(Module):
    """1-D convolution of [batch, in_channels, ...] with PyTorch's arguments. padding: numbers, "same"
    or "valid"; padding_mode: zeros, reflect, replicate, circular. The batch axis is optional.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class Conv2d(Module):
    """2-D convolution of [batch, in_channels, ...] with PyTorch's arguments. padding: numbers, "same"
    or "valid"; padding_mode: zeros, reflect, replicate, circular. The batch axis is optional.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class ConvTranspose1d(Module):
    """Transposed 1-D convolution of [batch, in_channels, ...] with PyTorch's arguments. The batch axis
    is optional.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class ConvTranspose2d(Module):
    """Transposed 2-D convolution of [batch, in_channels, ...] with PyTorch's arguments. The batch axis
    is optional.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class MaxPool1d(Module):
    """1-D max pooling, and with return_indices the flat index of each maximum."""
    def __init__(self, /, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: Any = False, ceil_mode: Any = False) -> None: ...
class MaxPool2d(Module):
    """2-D max pooling, and with return_indices the flat index of each maximum."""
    def __init__(self, /, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: Any = False, ceil_mode: Any = False) -> None: ...
class AvgPool1d(Module):
    """1-D average pooling."""
    def __init__(self, /, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> None: ...
class AvgPool2d(Module):
    """2-D average pooling."""
    def __init__(self, /, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True, divisor_override: Any = None) -> None: ...
class AdaptiveAvgPool1d(Module):
    """1-D average pooling to an output size."""
    def __init__(self, /, output_size: Any) -> None: ...
class AdaptiveAvgPool2d(Module):
    """2-D average pooling to an output size; None keeps the size of an axis."""
    def __init__(self, /, output_size: Any) -> None: ...
class AdaptiveMaxPool1d(Module):
    """1-D max pooling to an output size."""
    def __init__(self, /, output_size: Any, return_indices: Any = False) -> None: ...
class AdaptiveMaxPool2d(Module):
    """2-D max pooling to an output size; None keeps the size of an axis."""
    def __init__(self, /, output_size: Any, return_indices: Any = False) -> None: ...
class Flatten(Module):
    """flattens a range of axes into one"""
    def __init__(self, start: int = 1, end: int = -1, *, device: Any = None, dtype: Any = None) -> None: ...
class LayerNorm(Module):
    """Layer normalisation over the last axes, of shape normalized_shape, then learned weight and bias.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class RMSNorm(Module):
    """Root mean square normalisation over the last axes with a learned weight; eps: by default that of
    the dtype.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class GroupNorm(Module):
    """Group normalisation: mean 0 and variance 1 over each group of channels, then learned weight and
    bias.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
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
    """x Phi(x), Phi: the standard normal CDF, or its tanh approximation."""
    def __init__(self, /, approximate: Any = 'none') -> None: ...
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
    """log(1 + e^(beta x)) / beta, and x where beta x > threshold."""
    def __init__(self, /, beta: Any = 1.0, threshold: Any = 20.0) -> None: ...
class Softmax(Module):
    """e^x / sum e^x along dim; `dtype`: cast the input first."""
    def __init__(self, /, dim: Any = None) -> None: ...
class LogSoftmax(Module):
    """x - log sum e^x along dim; `dtype`: cast the input first."""
    def __init__(self, /, dim: Any = None) -> None: ...
class LeakyReLU(Module):
    """leaky ReLU: x where x > 0, otherwise slope x"""
    def __init__(self, slope: float = 0.01, inplace: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class ELU(Module):
    """exponential linear unit: x where x > 0, otherwise alpha (e^x - 1)"""
    def __init__(self, alpha: float = 1.0, inplace: bool = False, *, device: Any = None, dtype: Any = None) -> None: ...
class RNNCell(Module):
    """One step of an Elman RNN: forward(input, h) returns h."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class LSTMCell(Module):
    """One step of an LSTM: forward(input, (h, c)) returns (h, c)."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class GRUCell(Module):
    """One step of a GRU: forward(input, h) returns h."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class RNN(Module):
    """Multi-layer Elman RNN over sequences; forward(input, h) returns (output, h)."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class LSTM(Module):
    """Multi-layer long short-term memory (LSTM) over sequences; forward(input, (h, c)) returns (output,
    (h, c)). proj_size: width of the projected hidden state (Sak et al. 2014).
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class GRU(Module):
    """Multi-layer gated recurrent unit (GRU) over sequences; forward(input, h) returns (output, h)."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class MultiHeadAttention(Module):
    """scaled dot-product attention with several heads and learned projections"""
    def __init__(self, width: int = 0, heads: int = 1, bias: bool = True, causal: bool = False, dropout: float = 0.0, *, device: Any = None, dtype: Any = None) -> None: ...
class TransformerEncoderLayer(Module):
    """Self-attention and feed-forward network with residual connections, with PyTorch's arguments."""
    def __init__(self, d_model: Any, nhead: Any, dim_feedforward: Any = 2048, dropout: Any = 0.1, activation: Any = ..., layer_norm_eps: Any = 1e-05, batch_first: Any = False, norm_first: Any = False, bias: Any = True, device: Any = None, dtype: Any = None) -> None: ...
class TransformerDecoderLayer(Module):
    """Self-attention, attention to memory and feed-forward network, with PyTorch's arguments."""
    def __init__(self, d_model: Any, nhead: Any, dim_feedforward: Any = 2048, dropout: Any = 0.1, activation: Any = ..., layer_norm_eps: Any = 1e-05, batch_first: Any = False, norm_first: Any = False, bias: Any = True, device: Any = None, dtype: Any = None) -> None: ...
class TransformerEncoder(Module):
    """Stack of copies of an encoder layer with an optional final norm, with PyTorch's arguments."""
    def __init__(self, encoder_layer: Any, num_layers: Any, norm: Any = None, enable_nested_tensor: Any = True, mask_check: Any = True) -> None: ...
class TransformerDecoder(Module):
    """Stack of copies of a decoder layer with an optional final norm, with PyTorch's arguments."""
    def __init__(self, decoder_layer: Any, num_layers: Any, norm: Any = None) -> None: ...
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
    def __init__(self, vocab: int = 0, block_size: int = 1024, layers: int = 12, width: int = 768, heads: int = 12, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', tie_embeddings: bool = True, dropout: float = 0.0, eps: float = 1e-05, positions: Any = 'learned', rope_base: float = 10000.0, norm: Any = 'layer', norm_place: Any = 'before', norm_embeddings: bool = False, head_norm: Any = 'none', gated: bool = False, kv_heads: int = 0, head_size: int = 0, window: int = 0, *, device: Any = None, dtype: Any = None) -> None: ...
class BatchNorm1d(Module):
    """Batch normalisation of each channel of [batch, channels] or [batch, channels, length]; momentum
    None: cumulative average.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class BatchNorm2d(Module):
    """Batch normalisation of each channel of [batch, channels, height, width]; momentum None:
    cumulative average.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
class BatchNorm3d(Module):
    """Batch normalisation of each channel of [batch, channels, depth, height, width]; momentum None:
    cumulative average.
    """
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
