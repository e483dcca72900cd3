# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """1-D average pooling to an output size."""
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """2-D average pooling to an output size; None keeps the size of an axis."""
def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """3-D average pooling to an output size; None keeps the size of an axis."""
def adaptive_max_pool1d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """1-D max pooling to an output size."""
def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """2-D max pooling to an output size; None keeps the size of an axis."""
def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """3-D max pooling to an output size; None keeps the size of an axis."""
def affine_grid(theta: Any, size: Any, align_corners: Any = None) -> Any:
    """Sampling positions of an affine map theta [batch, n, n + 1] for outputs of that size."""
def alpha_dropout(input: Any, p: Any = 0.5, training: Any = False, inplace: Any = False) -> Any:
    """Dropout that keeps mean and variance of the activations of SELU (Klambauer et al. 2017)."""
def avg_pool1d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> Any:
    """1-D average pooling."""
def avg_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True, divisor_override: Any = None) -> Any:
    """2-D average pooling."""
def avg_pool3d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True, divisor_override: Any = None) -> Any:
    """3-D average pooling."""
def batch_norm(input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: Any = False, momentum: Any = 0.1, eps: Any = 1e-05) -> Any:
    """Normalises each channel (axis 1) with the statistics of the batch in training, which also updates
    the running ones in place, and with the running ones otherwise.
    """
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """x1^T W_k x2 + bias_k for each output k."""
def binary_cross_entropy(input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """Binary cross entropy of probabilities; `weight` multiplies the terms."""
def binary_cross_entropy_with_logits(input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean', pos_weight: Any = None) -> Any:
    """Binary cross entropy of logits; `weight` multiplies the terms, `pos_weight` those of positive
    targets.
    """
def celu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Any:
    """x where x > 0, otherwise alpha (e^(x / alpha) - 1)."""
def celu_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """celu() in place."""
def channel_shuffle(input: Any, groups: Any) -> Any:
    """Interleaves the groups of channels (axis 1)."""
def conv1d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """1-D convolution of [batch, in, length]; the batch axis is optional."""
def conv2d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """2-D convolution of [batch, in, height, width]; the batch axis is optional."""
def conv3d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """3-D convolution of [batch, in, depth, height, width]; the batch axis is optional."""
def conv_transpose1d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1) -> Any:
    """Transposed 1-D convolution; the batch axis is optional."""
def conv_transpose2d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1) -> Any:
    """Transposed 2-D convolution; the batch axis is optional."""
def conv_transpose3d(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: Any = 1, dilation: Any = 1) -> Any:
    """Transposed 3-D convolution; the batch axis is optional."""
def cosine_embedding_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """1 - cos(x1, x2) where the target is 1, max(0, cos(x1, x2) - margin) where it is -1."""
def cosine_similarity(x1: Any, x2: Any, dim: Any = 1, eps: Any = 1e-08) -> Any:
    """x1 . x2 / (|x1| |x2|) along dim; each norm is at least eps."""
def cross_entropy(input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: Any = -100, reduce: Any = None, reduction: Any = 'mean', label_smoothing: Any = 0.0) -> Any:
    """-log softmax(x)[target] of logits [batch, classes, ...]; a target of the shape of the logits
    holds class probabilities.
    """
def ctc_loss(log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: Any = 0, reduction: Any = 'mean', zero_infinity: Any = False) -> Any:
    """Connectionist temporal classification (Graves et al. 2006) of log_probs [steps, batch, classes];
    "mean" divides each loss by the length of its target.
    """
def dropout(input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False) -> Any:
    """In training, zeroes elements with probability p and divides the others by 1 - p."""
def dropout1d(input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False) -> Any:
    """In training, zeroes whole channels of [batch, channels, length] with probability p."""
def dropout2d(input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False) -> Any:
    """In training, zeroes whole channels of [batch, channels, height, width] with probability p."""
def dropout3d(input: Any, p: Any = 0.5, training: Any = True, inplace: Any = False) -> Any:
    """In training, zeroes whole channels of [batch, channels, depth, height, width] with probability p.
    """
def elu(input: Any, alpha: Any = 1.0, inplace: Any = False) -> Any:
    """x where x > 0, otherwise alpha (e^x - 1)."""
def elu_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """elu() in place."""
def embedding(input: Any, weight: Any, padding_idx: Any = None, max_norm: Any = None, norm_type: Any = 2.0, scale_grad_by_freq: Any = False, sparse: Any = False) -> Any:
    """Rows of the weight at the indices; the row padding_idx gets no gradient."""
def embedding_bag(input: Any, weight: Any, offsets: Any = None, max_norm: Any = None, norm_type: Any = 2, scale_grad_by_freq: Any = False, mode: Any = 'mean', sparse: Any = False, per_sample_weights: Any = None, include_last_offset: Any = False, padding_idx: Any = None) -> Any:
    """Sums, means or maxima of rows of the weight: of each row of indices [bags, n], or of flat indices
    with the offset of each bag.
    """
def feature_alpha_dropout(input: Any, p: Any = 0.5, training: Any = False, inplace: Any = False) -> Any:
    """alpha_dropout of whole channels."""
def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Sum of columns into images; the transpose of unfold."""
def fractional_max_pool2d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Any:
    """2-D fractional max pooling."""
def fractional_max_pool3d(input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: Any = False, _random_samples: Any = None) -> Any:
    """3-D fractional max pooling."""
def gaussian_nll_loss(input: Any, target: Any, var: Any, full: Any = False, eps: Any = 1e-06, reduction: Any = 'mean') -> Any:
    """Negative log-likelihood of a Gaussian with mean `input` and variance max(var, eps); `full`: add
    the constant.
    """
def gelu(input: Any, approximate: Any = 'none') -> Any:
    """x Phi(x), Phi: the standard normal CDF, or its tanh approximation."""
def glu(input: Any, dim: Any = -1) -> Any:
    """a sigmoid(b), a and b: the halves of x along dim."""
def grid_sample(input: Any, grid: Any, mode: Any = 'bilinear', padding_mode: Any = 'zeros', align_corners: Any = None) -> Any:
    """Samples images [batch, channels, ...] at the positions of a grid [batch, ..., n], which go from
    -1 to 1 with the last axis of the image first. Modes: bilinear, nearest, bicubic; padding: zeros,
    border, reflection.
    """
def group_norm(input: Any, num_groups: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-05) -> Any:
    """Normalises each group of channels (axis 1) of a sample."""
def gumbel_softmax(logits: Any, tau: Any = 1.0, hard: Any = False, eps: Any = 1e-10, dim: Any = -1) -> Any:
    """Samples from the Gumbel-softmax distribution (Jang et al. 2017); `hard`: one-hot, with the
    gradient of the soft sample. `eps` has no effect.
    """
def hardshrink(input: Any, lambd: Any = 0.5) -> Any:
    """x where |x| > lambd, otherwise 0."""
def hardsigmoid(input: Any, inplace: Any = False) -> Any:
    """min(max(x + 3, 0), 6) / 6."""
def hardswish(input: Any, inplace: Any = False) -> Any:
    """x hardsigmoid(x)."""
def hardtanh(input: Any, min_val: Any = -1.0, max_val: Any = 1.0, inplace: Any = False) -> Any:
    """x limited to [min_val, max_val]; the gradient is 0 at the limits."""
def hardtanh_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """hardtanh() in place."""
def hinge_embedding_loss(input: Any, target: Any, margin: Any = 1.0, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """x where the target is 1, max(0, margin - x) where it is -1."""
def huber_loss(input: Any, target: Any, reduction: Any = 'mean', delta: Any = 1.0, weight: Any = None) -> Any:
    """Huber loss: (x - y)^2 / 2 where |x - y| <= delta, otherwise delta (|x - y| - delta / 2)."""
def instance_norm(input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None, use_input_stats: Any = True, momentum: Any = 0.1, eps: Any = 1e-05) -> Any:
    """Normalises each channel of each sample."""
def interpolate(input: Any, size: Any = None, scale_factor: Any = None, mode: Any = 'nearest', align_corners: Any = None, recompute_scale_factor: Any = None, antialias: Any = False) -> Any:
    """Resizes the axes after batch and channels to a size or by a factor. Modes: nearest, nearest-
    exact, linear, bilinear, bicubic, trilinear, area.
    """
def kl_div(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean', log_target: Any = False) -> Any:
    """Kullback-Leibler divergence of target from log-probabilities; "batchmean": the sum divided by the
    batch size.
    """
def l1_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean', weight: Any = None) -> Any:
    """Mean absolute error: |x - y|."""
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: Any = 1e-05) -> Any:
    """(x - mean) / sqrt(variance + eps) over the last axes, of shape normalized_shape, times weight,
    plus bias.
    """
def leaky_relu(input: Any, negative_slope: Any = 0.01, inplace: Any = False) -> Any:
    """x where x > 0, otherwise negative_slope x."""
def leaky_relu_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """leaky_relu() in place."""
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """x W^T + bias."""
def linear_cross_entropy(input: Any, linear_weight: Any, target: Any, *, linear_bias: Any = None, weight: Any = None, reduction: Any = 'mean', ignore_index: Any = None, label_smoothing: Any = 0.0, options: Any = None) -> Any:
    """cross_entropy of the logits x W^T + bias, W [classes, ..., width]; `options`, how PyTorch splits
    the computation, have no effect.
    """
def local_response_norm(input: Any, size: Any, alpha: Any = 0.0001, beta: Any = 0.75, k: Any = 1.0) -> Any:
    """x / (k + alpha mean of the squares of `size` neighbouring channels)^beta (Krizhevsky et al.
    2012).
    """
def log_softmax(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """x - log sum e^x along dim; `dtype`: cast the input first."""
def logsigmoid(input: Any) -> Any:
    """log(sigmoid(x))."""
def lp_pool1d(input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False) -> Any:
    """1-D power-average pooling: (sum x^p)^(1/p)."""
def lp_pool2d(input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False) -> Any:
    """2-D power-average pooling: (sum x^p)^(1/p)."""
def lp_pool3d(input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: Any = False) -> Any:
    """3-D power-average pooling: (sum x^p)^(1/p)."""
def margin_ranking_loss(input1: Any, input2: Any, target: Any, margin: Any = 0.0, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """max(0, -y (x1 - x2) + margin) for targets y of 1 and -1."""
def max_pool1d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """1-D max pooling, and with return_indices the flat index of each maximum."""
def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """2-D max pooling, and with return_indices the flat index of each maximum."""
def max_pool3d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False, return_indices: Any = False) -> Any:
    """3-D max pooling, and with return_indices the flat index of each maximum."""
def max_unpool1d(input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Any:
    """Partial inverse of max_pool1d: zeros with the maxima at their indices."""
def max_unpool2d(input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Any:
    """Partial inverse of max_pool2d: zeros with the maxima at their indices."""
def max_unpool3d(input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> Any:
    """Partial inverse of max_pool3d: zeros with the maxima at their indices."""
def mish(input: Any, inplace: Any = False) -> Any:
    """x tanh(softplus(x))."""
def mse_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean', weight: Any = None) -> Any:
    """Mean squared error: (x - y)^2."""
def multi_head_attention_forward(query: Any, key: Any, value: Any, embed_dim_to_check: Any, num_heads: Any, in_proj_weight: Any, in_proj_bias: Any, bias_k: Any, bias_v: Any, add_zero_attn: Any, dropout_p: Any, out_proj_weight: Any, out_proj_bias: Any, training: Any = True, key_padding_mask: Any = None, need_weights: Any = True, attn_mask: Any = None, use_separate_proj_weight: Any = False, q_proj_weight: Any = None, k_proj_weight: Any = None, v_proj_weight: Any = None, static_k: Any = None, static_v: Any = None, average_attn_weights: Any = True, is_causal: Any = False) -> Any:
    """Multi-head attention of query [tokens, batch, width] with PyTorch's arguments: (output, weights).
    Boolean masks are true for keys that are masked out. The batch axis is optional.
    """
def multi_margin_loss(input: Any, target: Any, p: Any = 1, margin: Any = 1.0, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """Multi-class hinge loss: mean over classes i other than y of max(0, margin - x[y] + x[i])^p."""
def multilabel_margin_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """Multi-label hinge loss; the labels of a row of the target end at its first -1."""
def multilabel_soft_margin_loss(input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """Binary cross entropy of logits, averaged over the classes (the last axis)."""
def nll_loss(input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: Any = -100, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """-x[target] of log-probabilities [batch, classes, ...]."""
def normalize(input: Any, p: Any = 2.0, dim: Any = 1, eps: Any = 1e-12, out: Any = None) -> Any:
    """x divided by its p-norm along dim, which is at least eps."""
def one_hot(tensor: Any, num_classes: Any = -1) -> Any:
    """One-hot vectors along a new last axis; num_classes: by default the largest index + 1."""
def pad(input: Any, pad: Any, mode: Any = 'constant', value: Any = None) -> Any:
    """Pads the last axes by (before, after) pairs, the last axis first; negative widths crop."""
def pairwise_distance(x1: Any, x2: Any, p: Any = 2.0, eps: Any = 1e-06, keepdim: Any = False) -> Any:
    """p-norm of x1 - x2 + eps along the last axis."""
def pdist(input: Any, p: Any = 2.0) -> Any:
    """p-norm distances between all pairs of rows i < j."""
def pixel_shuffle(input: Any, upscale_factor: Any) -> Any:
    """[..., channels r^2, height, width] as [..., channels, height r, width r] (Shi et al. 2016)."""
def pixel_unshuffle(input: Any, downscale_factor: Any) -> Any:
    """The inverse of pixel_shuffle."""
def poisson_nll_loss(input: Any, target: Any, log_input: Any = True, full: Any = False, size_average: Any = None, eps: Any = 1e-08, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """Negative log-likelihood of Poisson counts; `full`: add Stirling's approximation of log(target!).
    """
def prelu(input: Any, weight: Any) -> Any:
    """x where x > 0, otherwise weight x; one weight, or one for each channel (axis 1)."""
def relu(input: Any, inplace: Any = False) -> Any:
    """max(x, 0)."""
def relu6(input: Any, inplace: Any = False) -> Any:
    """min(max(x, 0), 6)."""
def relu_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """relu() in place."""
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """x / sqrt(mean square + eps) over the last axes, times weight; eps: by default the epsilon of the
    dtype.
    """
def rrelu(input: Any, lower: Any = 0.125, upper: Any = 0.3333333333333333, training: Any = False, inplace: Any = False) -> Any:
    """Leaky ReLU whose slope is drawn from [lower, upper] for each element in training, and their mean
    otherwise.
    """
def rrelu_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """rrelu() in place."""
def scaled_dot_product_attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: Any = 0.0, is_causal: Any = False, scale: Any = None, enable_gqa: Any = False) -> Any:
    """softmax(scale q k^T) v of [..., heads, tokens, width]. A boolean mask is true for keys to attend
    to, others are added; is_causal: query i attends to keys 0 to i; enable_gqa: each key head serves
    several query heads.
    """
def selu(input: Any, inplace: Any = False) -> Any:
    """ELU scaled such that activations keep mean 0 and variance 1 (Klambauer et al. 2017)."""
def selu_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """selu() in place."""
def sigmoid(input: Any) -> Any:
    """1 / (1 + e^-x)."""
def silu(input: Any, inplace: Any = False) -> Any:
    """x sigmoid(x)."""
def smooth_l1_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean', beta: Any = 1.0) -> Any:
    """Huber loss of delta = beta, divided by beta; l1_loss for beta = 0."""
def soft_margin_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """log(1 + e^(-y x)) for targets y of 1 and -1."""
def softmax(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """e^x / sum e^x along dim; `dtype`: cast the input first."""
def softmin(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """softmax(-x)."""
def softplus(input: Any, beta: Any = 1.0, threshold: Any = 20.0) -> Any:
    """log(1 + e^(beta x)) / beta, and x where beta x > threshold."""
def softshrink(input: Any, lambd: Any = 0.5) -> Any:
    """x moved by lambd towards 0, and 0 between -lambd and lambd."""
def softsign(input: Any) -> Any:
    """x / (1 + |x|)."""
def tanh(input: Any) -> Any:
    """Hyperbolic tangent."""
def tanhshrink(input: Any) -> Any:
    """x - tanh(x)."""
def threshold(input: Any, threshold: Any, value: Any, inplace: Any = False) -> Any:
    """x where x > threshold, otherwise value."""
def threshold_(input: Any, *args: Any, **kwargs: Any) -> Any:
    """threshold() in place."""
def triplet_margin_loss(anchor: Any, positive: Any, negative: Any, margin: Any = 1.0, p: Any = 2, eps: Any = 1e-06, swap: Any = False, size_average: Any = None, reduce: Any = None, reduction: Any = 'mean') -> Any:
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) (Balntas et al. 2016)."""
def triplet_margin_with_distance_loss(anchor: Any, positive: Any, negative: Any, *, distance_function: Any = None, margin: Any = 1.0, swap: Any = False, reduction: Any = 'mean') -> Any:
    """triplet_margin_loss of any distance; `swap`: use the nearer of anchor and positive to the
    negative.
    """
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Sliding windows of images [batch, channels, height, width] as columns."""
def upsample(input: Any, size: Any = None, scale_factor: Any = None, mode: Any = 'nearest', align_corners: Any = None) -> Any:
    """interpolate()."""
def upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """interpolate() of mode bilinear with aligned corners."""
def upsample_nearest(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """interpolate() of mode nearest."""
