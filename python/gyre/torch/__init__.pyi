# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def add(x: Any, y: Any) -> Any:
    """x + y"""
def sub(x: Any, y: Any) -> Any:
    """x - y"""
def mul(x: Any, y: Any) -> Any:
    """x * y"""
def div(x: Any, y: Any) -> Any:
    """x / y"""
def pow(x: Any, y: Any) -> Any:
    """x to the power y"""
def maximum(x: Any, y: Any) -> Any:
    """the larger of x and y; NaN wins"""
def minimum(x: Any, y: Any) -> Any:
    """the smaller of x and y; NaN wins"""
def atan2(y: Any, x: Any) -> Any:
    """angle of the point (x, y) in radians"""
def logaddexp(x: Any, y: Any) -> Any:
    """log(e^x + e^y)"""
def fmod(x: Any, y: Any) -> Any:
    """what is left of x / y rounded towards zero"""
def remainder(x: Any, y: Any) -> Any:
    """what is left of x / y rounded down"""
def floor_divide(x: Any, y: Any) -> Any:
    """x / y rounded down"""
def eq(x: Any, y: Any) -> Any:
    """x == y"""
def ne(x: Any, y: Any) -> Any:
    """x != y"""
def lt(x: Any, y: Any) -> Any:
    """x < y"""
def le(x: Any, y: Any) -> Any:
    """x <= y"""
def gt(x: Any, y: Any) -> Any:
    """x > y"""
def ge(x: Any, y: Any) -> Any:
    """x >= y"""
def logical_and(x: Any, y: Any) -> Any:
    """both true"""
def logical_or(x: Any, y: Any) -> Any:
    """one true at least"""
def logical_xor(x: Any, y: Any) -> Any:
    """one true, one not"""
def logical_not(x: Any) -> Any:
    """not true"""
def isnan(x: Any) -> Any:
    """is not a number"""
def isinf(x: Any) -> Any:
    """is infinite"""
def isfinite(x: Any) -> Any:
    """is a number and not infinite"""
def bitwise_and(x: Any, y: Any) -> Any:
    """bits set in both"""
def bitwise_or(x: Any, y: Any) -> Any:
    """bits set in one at least"""
def bitwise_xor(x: Any, y: Any) -> Any:
    """bits set in one only"""
def bitwise_not(x: Any) -> Any:
    """all bits turned; of boolean, not true"""
def shift_left(x: Any, y: Any) -> Any:
    """x 2^y of integers"""
def shift_right(x: Any, y: Any) -> Any:
    """x / 2^y of integers, rounded down"""
def where(condition: Any, x: Any, y: Any) -> Any:
    """x where condition is not zero, else y"""
def clamp(x: Any, low: Any, high: Any) -> Any:
    """min(max(x, low), high)"""
def lerp(x: Any, y: Any, weight: Any) -> Any:
    """x + weight (y - x)"""
def neg(x: Any) -> Any:
    """-x"""
def abs(x: Any) -> Any:
    """absolute value"""
def sign(x: Any) -> Any:
    """-1, 0 or 1"""
def floor(x: Any) -> Any:
    """rounded down"""
def ceil(x: Any) -> Any:
    """rounded up"""
def round(x: Any) -> Any:
    """the nearest whole number, ties to even"""
def trunc(x: Any) -> Any:
    """rounded towards zero"""
def square(x: Any) -> Any:
    """x x"""
def reciprocal(x: Any) -> Any:
    """1 / x"""
def exp(x: Any) -> Any:
    """e^x"""
def exp2(x: Any) -> Any:
    """2^x"""
def expm1(x: Any) -> Any:
    """e^x - 1"""
def log(x: Any) -> Any:
    """natural logarithm"""
def log1p(x: Any) -> Any:
    """natural logarithm of 1 + x"""
def log2(x: Any) -> Any:
    """logarithm to base 2"""
def sqrt(x: Any) -> Any:
    """square root"""
def rsqrt(x: Any) -> Any:
    """1 / sqrt(x)"""
def sin(x: Any) -> Any:
    """sine of x in radians"""
def cos(x: Any) -> Any:
    """cosine of x in radians"""
def tan(x: Any) -> Any:
    """tangent of x in radians"""
def asin(x: Any) -> Any:
    """angle whose sine is x"""
def acos(x: Any) -> Any:
    """angle whose cosine is x"""
def atan(x: Any) -> Any:
    """angle whose tangent is x"""
def sinh(x: Any) -> Any:
    """hyperbolic sine"""
def cosh(x: Any) -> Any:
    """hyperbolic cosine"""
def tanh(x: Any) -> Any:
    """hyperbolic tangent"""
def asinh(x: Any) -> Any:
    """inverse hyperbolic sine"""
def acosh(x: Any) -> Any:
    """inverse hyperbolic cosine"""
def atanh(x: Any) -> Any:
    """inverse hyperbolic tangent"""
def erf(x: Any) -> Any:
    """error function"""
def erfc(x: Any) -> Any:
    """1 - erf(x)"""
def sigmoid(x: Any) -> Any:
    """1 / (1 + e^-x)"""
def softplus(x: Any) -> Any:
    """log(1 + e^x)"""
def relu(x: Any) -> Any:
    """max(x, 0)"""
def gelu(x: Any) -> Any:
    """x Phi(x), Phi the normal distribution function"""
def gelu_tanh(x: Any) -> Any:
    """gelu in its tanh approximation"""
def silu(x: Any) -> Any:
    """x sigmoid(x)"""
def leaky_relu(x: Any, slope: Any = 0.01) -> Any:
    """x above 0, slope x below"""
def elu(x: Any, alpha: Any = 1) -> Any:
    """x above 0, alpha (e^x - 1) below"""
def add_relu(x: Any, y: Any) -> Any:
    """relu(x + y) in one pass"""
def mul_relu(x: Any, y: Any) -> Any:
    """relu(x y) in one pass"""
def affine(x: Any, scale: Any, bias: Any) -> Any:
    """x scale + bias in one pass"""
def sum(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """sum over axes"""
def mean(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """mean over axes"""
def prod(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """product over axes"""
def max(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """largest over axes; NaN wins"""
def min(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """smallest over axes; NaN wins"""
def any(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """whether an element is not zero"""
def all(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """whether no element is zero"""
def argmax(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """position of the largest; the lowest among equals"""
def argmin(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """position of the smallest; the lowest among equals"""
def var_rows(x: Any, axis: Any = -1, correction: Any = 1.0) -> Any:
    """variance along one axis"""
def std_rows(x: Any, axis: Any = -1, correction: Any = 1.0) -> Any:
    """standard deviation along one axis"""
def norm_rows(x: Any, axis: Any = -1) -> Any:
    """square root of the sum of squares along one axis"""
def var(x: Any, axes: Any = (), keepdim: Any = False, correction: Any = 1.0) -> Any:
    """variance over axes"""
def std(x: Any, axes: Any = (), keepdim: Any = False, correction: Any = 1.0) -> Any:
    """standard deviation over axes"""
def norm(x: Any, axes: Any = (), keepdim: Any = False, p: Any = 2.0) -> Any:
    """(sum |x|^p)^(1/p) over axes"""
def cumsum(x: Any, axis: Any = -1, reverse: Any = False) -> Any:
    """running sum along an axis"""
def cumprod(x: Any, axis: Any = -1, reverse: Any = False) -> Any:
    """running product along an axis"""
def linear_recurrence(a: Any, b: Any, axis: Any = -1, reverse: Any = False) -> Any:
    """y_k = a_k y_(k-1) + b_k along an axis"""
def reshape(x: Any, shape: Any = ()) -> Any:
    """the elements in row-major order, other sizes"""
def permute(x: Any, axes: Any = ()) -> Any:
    """axes in another order"""
def transpose(x: Any, axis0: Any = -2, axis1: Any = -1) -> Any:
    """two axes exchanged"""
def expand(x: Any, shape: Any = ()) -> Any:
    """repeated along axes of size 1 and new leading ones"""
def squeeze(x: Any, axes: Any = ()) -> Any:
    """without axes of size 1"""
def unsqueeze(x: Any, axis: Any = 0) -> Any:
    """with a new axis of size 1"""
def slice(x: Any, axis: Any = 0, start: Any = 0, stop: Any = 9223372036854775807, step: Any = 1) -> Any:
    """x[start:stop:step] along an axis"""
def select(x: Any, axis: Any = 0, index: Any = 0) -> Any:
    """x at one index of an axis, without that axis"""
def slice_embed(x: Any, axis: Any = 0, start: Any = 0, step: Any = 1, size: Any = 0) -> Any:
    """zeros with x at [start::step] of a longer axis"""
def clone(x: Any) -> Any:
    """a new contiguous tensor with the same values"""
def to(x: Any, dtype: Any = 'f32') -> Any:
    """the values in another dtype"""
def cat(*xs: Any, axis: Any = 0) -> Any:
    """tensors joined along an axis"""
def stack(*xs: Any, axis: Any = 0) -> Any:
    """tensors of one shape joined along a new axis"""
def split(x: Any, sizes: Any = (), axis: Any = 0) -> Any:
    """consecutive parts along an axis"""
def chunk(x: Any, chunks: Any = 1, axis: Any = 0) -> Any:
    """parts of equal length along an axis, the last may be shorter"""
def flip(x: Any, axes: Any = ()) -> Any:
    """axes from the last index to the first"""
def roll(x: Any, shifts: Any = (), axes: Any = ()) -> Any:
    """elements moved along axes, the last to the front"""
def pad(x: Any, before: Any = (), after: Any = (), mode: Any = 'constant', value: Any = 0.0) -> Any:
    """axes made longer on both sides"""
def tile(x: Any, repeats: Any = ()) -> Any:
    """the tensor repeated along axes"""
def repeat_interleave(x: Any, count: Any = 1, axis: Any = 0) -> Any:
    """each slice along an axis several times in a row"""
def unfold(x: Any, axis: Any = 0, size: Any = 1, step: Any = 1) -> Any:
    """windows along an axis"""
def overlap_add(x: Any, axis: Any = 0, step: Any = 1, length: Any = 0) -> Any:
    """windows added where they lie along an axis"""
def diagonal(x: Any, offset: Any = 0, axis0: Any = 0, axis1: Any = 1) -> Any:
    """a diagonal of two axes"""
def diag_embed(x: Any, offset: Any = 0, axis0: Any = -2, axis1: Any = -1, rows: Any = -1, columns: Any = -1) -> Any:
    """zeros with the last axis on a diagonal"""
def tril(x: Any, diagonal: Any = 0) -> Any:
    """zeros above a diagonal"""
def triu(x: Any, diagonal: Any = 0) -> Any:
    """zeros below a diagonal"""
def gather(x: Any, index: Any, axis: Any = 0) -> Any:
    """x at an index along an axis, for every place of the index"""
def scatter(x: Any, index: Any, src: Any, axis: Any = 0) -> Any:
    """x with src written at an index along an axis"""
def scatter_add(x: Any, index: Any, src: Any, axis: Any = 0) -> Any:
    """x with src added at an index along an axis"""
def scatter_reduce(x: Any, index: Any, src: Any, axis: Any = 0, reduce: Any = 'sum', include_self: Any = True) -> Any:
    """x put together with src at an index along an axis"""
def index_select(x: Any, index: Any, axis: Any = 0) -> Any:
    """slices of x along an axis, in the order of the index"""
def index_add(x: Any, index: Any, src: Any, axis: Any = 0) -> Any:
    """x with slices of src added to the slices that an index names"""
def index(x: Any, *indices: Any) -> Any:
    """the elements that index tensors choose"""
def index_put(x: Any, values: Any, *indices: Any, accumulate: Any = False) -> Any:
    """x with values at the elements that index tensors choose"""
def take(x: Any, index: Any) -> Any:
    """x at numbers of elements in row-major order"""
def masked_select(x: Any, mask: Any) -> Any:
    """the elements of x where the mask is true"""
def nonzero(x: Any) -> Any:
    """coordinates of the elements that are not zero"""
def embedding(weight: Any, index: Any) -> Any:
    """rows of weight at an index of any shape"""
def masked_fill(x: Any, mask: Any, value: Any = 0.0) -> Any:
    """x with a value where the mask is true"""
def one_hot(index: Any, classes: Any = 0, dtype: Any = 'f32') -> Any:
    """1 at the index along a new last axis, else 0"""
def sort(x: Any, axis: Any = -1, descending: Any = False) -> Any:
    """values in order along an axis, and where they were"""
def argsort(x: Any, axis: Any = -1, descending: Any = False) -> Any:
    """where the values in order along an axis are"""
def topk(x: Any, k: Any = 1, axis: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
    """the k largest or smallest along an axis, and where they are"""
def searchsorted(sorted: Any, values: Any, right: Any = False) -> Any:
    """where values would be inserted into sorted rows"""
def unique(x: Any) -> Any:
    """distinct values, each element's index among them, and counts"""
def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """how often each number occurs"""
def rand(shape: Any = (), dtype: Any = 'f32', seed: Any = 0, offset: Any = 0) -> Any:
    """uniform random numbers in [0, 1)"""
def randn(shape: Any = (), dtype: Any = 'f32', seed: Any = 0, offset: Any = 0) -> Any:
    """normal random numbers"""
def randint(low: Any = 0, high: Any = 2, shape: Any = (), dtype: Any = 'i64', seed: Any = 0, offset: Any = 0) -> Any:
    """random integers in [low, high)"""
def bernoulli(p: Any = 0.5, shape: Any = (), dtype: Any = 'boolean', seed: Any = 0, offset: Any = 0) -> Any:
    """1 with probability p"""
def dropout(x: Any, p: Any = 0.5, seed: Any = 0, offset: Any = 0) -> Any:
    """0 with probability p, else x / (1 - p)"""
def softmax(x: Any, axis: Any = -1) -> Any:
    """e^x / sum e^x along an axis"""
def log_softmax(x: Any, axis: Any = -1) -> Any:
    """x - log sum e^x along an axis"""
def softmax_backward(g: Any, y: Any, axis: Any = -1) -> Any:
    """cotangent of softmax's operand by its result"""
def log_softmax_backward(g: Any, y: Any, axis: Any = -1) -> Any:
    """cotangent of log_softmax's operand by its result"""
def logsumexp_rows(x: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """log sum e^x along an axis"""
def layer_norm(x: Any, weight: Any = None, bias: Any = None, axis: Any = -1, eps: Any = 1e-05) -> Any:
    """(x - mean) / sqrt(variance + eps) * weight + bias"""
def rms_norm(x: Any, weight: Any = None, axis: Any = -1, eps: Any = 1e-05) -> Any:
    """x / sqrt(mean of x^2 + eps) * weight"""
def moments(x: Any, axis: Any = -1) -> Any:
    """mean and variance along an axis"""
def standardize(x: Any, mean: Any, variance: Any, weight: Any = None, bias: Any = None, axis: Any = -1, eps: Any = 1e-05) -> Any:
    """(x - mean) / sqrt(variance + eps) weight + bias"""
def cosine_similarity(x: Any, y: Any, axis: Any = -1, eps: Any = 1e-08) -> Any:
    """x . y / (|x| |y|) along an axis"""
def group_norm(x: Any, weight: Any = None, bias: Any = None, groups: Any = 1, eps: Any = 1e-05) -> Any:
    """groups of channels brought to mean 0 and variance 1"""
def batch_norm(x: Any, weight: Any = None, bias: Any = None, mean: Any = None, variance: Any = None, eps: Any = 1e-05) -> Any:
    """channels brought to mean 0 and variance 1, and those"""
def logsumexp(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """log sum e^x over axes"""
def mse_terms(x: Any, y: Any) -> Any:
    """(x - y)^2"""
def l1_terms(x: Any, y: Any) -> Any:
    """|x - y|"""
def huber_terms(x: Any, y: Any, delta: Any) -> Any:
    """(x - y)^2 / 2 up to a difference of delta, then linear"""
def bce_terms(x: Any, y: Any) -> Any:
    """-(y log x + (1 - y) log(1 - x))"""
def bce_with_logits_terms(x: Any, y: Any, pos_weight: Any) -> Any:
    """-(pos_weight y log s(x) + (1 - y) log s(-x)), s the sigmoid"""
def kl_div_terms(x: Any, y: Any) -> Any:
    """y (log y - x)"""
def kl_div_log_terms(x: Any, y: Any) -> Any:
    """e^y (y - x)"""
def cross_entropy_rows(logits: Any, target: Any, axis: Any = -1, ignore_index: Any = -100) -> Any:
    """-log softmax(logits)[target] per row"""
def weighted_cross_entropy_rows(logits: Any, weight: Any, target: Any, axis: Any = -1, ignore_index: Any = -100, label_smoothing: Any = 0.0) -> Any:
    """cross entropy per row with weights and label smoothing"""
def probability_cross_entropy_rows(logits: Any, target: Any, weight: Any = None, axis: Any = -1, label_smoothing: Any = 0.0) -> Any:
    """cross entropy per row by probabilities of the classes"""
def mse(x: Any, y: Any, reduction: Any = 'mean') -> Any:
    """(x - y)^2, by default its mean"""
def l1(x: Any, y: Any, reduction: Any = 'mean') -> Any:
    """|x - y|, by default its mean"""
def huber(x: Any, y: Any, delta: Any = 1.0, reduction: Any = 'mean') -> Any:
    """(x - y)^2 / 2 near 0 and linear far off, by default its mean"""
def smooth_l1(x: Any, y: Any, beta: Any = 1.0, reduction: Any = 'mean') -> Any:
    """huber over beta, by default its mean"""
def bce(x: Any, y: Any, reduction: Any = 'mean') -> Any:
    """cross entropy of probabilities of yes and no, by default its mean"""
def bce_with_logits(x: Any, y: Any, pos_weight: Any = None, reduction: Any = 'mean') -> Any:
    """bce of sigmoid(x), by default its mean"""
def kl_div(x: Any, y: Any, log_target: Any = False, reduction: Any = 'mean') -> Any:
    """divergence of y from log-probabilities x, by default its mean"""
def nll(x: Any, target: Any, weight: Any = None, axis: Any = -1, ignore_index: Any = -100, reduction: Any = 'mean') -> Any:
    """-x[target] of log-probabilities x, by default its mean"""
def cross_entropy(logits: Any, target: Any, weight: Any = None, axis: Any = -1, ignore_index: Any = -100, label_smoothing: Any = 0.0, reduction: Any = 'mean') -> Any:
    """-log softmax(logits)[target], by default its mean"""
def matmul(x: Any, y: Any) -> Any:
    """matrix product with broadcast batches and vectors"""
def linear(x: Any, weight: Any, bias: Any = None) -> Any:
    """x W^T + bias"""
def linear_act(x: Any, weight: Any, bias: Any = None, act: Any = 'none') -> Any:
    """act(x W^T + bias)"""
def outer(x: Any, y: Any) -> Any:
    """x_i y_j of two vectors"""
def triangular_solve(a: Any, b: Any, upper: Any = False, transpose: Any = False, unitriangular: Any = False, left: Any = True) -> Any:
    """X of a X = b or X a = b with a triangular a"""
def solve(a: Any, b: Any) -> Any:
    """X of a X = b"""
def inverse(x: Any) -> Any:
    """inverse matrices"""
def matrix_power(x: Any, power: Any = 2) -> Any:
    """matrices to an integer power"""
def det(x: Any) -> Any:
    """determinants"""
def slogdet(x: Any) -> Any:
    """sign and logarithm of the magnitude of determinants"""
def lstsq(a: Any, b: Any) -> Any:
    """X with the least |a X - b|, for a of full rank; another is refused"""
def cholesky(x: Any) -> Any:
    """L of x = L L^T, of the symmetric part of x"""
def qr(x: Any) -> Any:
    """orthonormal columns times an upper triangle"""
def svd(x: Any) -> Any:
    """singular values and vectors"""
def eigh(x: Any) -> Any:
    """eigenvalues and vectors of the symmetric part of x"""
def einsum(*tensors: Any, spec: Any = '') -> Any:
    """sum of products by Einstein's convention"""
def conv2d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """windows of images times filters"""
def conv1d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """windows of signals times filters"""
def conv_transpose2d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """the transpose of conv2d as a map of images"""
def conv_transpose1d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """the transpose of conv1d as a map of signals"""
def conv2d_weight_gradient(x: Any, grad: Any, kernel: Any = 1, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """the gradient of conv2d by its weight"""
def max_pool2d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False) -> Any:
    """the largest of each window of images"""
def max_pool1d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False) -> Any:
    """the largest of each window of signals"""
def avg_pool2d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> Any:
    """the mean of each window of images"""
def avg_pool1d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> Any:
    """the mean of each window of signals"""
def avg_pool2d_gradient(grad: Any, size: Any = 1, kernel: Any = 1, stride: Any = (), padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> Any:
    """the transpose of avg_pool2d"""
def adaptive_max_pool2d(x: Any, size: Any = 1) -> Any:
    """the largest of windows that share out images"""
def adaptive_max_pool1d(x: Any, size: Any = 1) -> Any:
    """the largest of windows that share out signals"""
def adaptive_avg_pool2d(x: Any, size: Any = 1) -> Any:
    """the mean of windows that share out images"""
def adaptive_avg_pool1d(x: Any, size: Any = 1) -> Any:
    """the mean of windows that share out signals"""
def adaptive_avg_pool2d_gradient(grad: Any, size: Any = 1) -> Any:
    """the transpose of adaptive_avg_pool2d"""
def im2col(x: Any, kernel: Any = 1, stride: Any = 1, padding: Any = 0, dilation: Any = 1) -> Any:
    """windows of images as columns"""
def col2im(x: Any, size: Any = 1, kernel: Any = 1, stride: Any = 1, padding: Any = 0, dilation: Any = 1) -> Any:
    """columns added up to images"""
def scaled_dot_product_attention(q: Any, k: Any, v: Any, mask: Any = None, causal: Any = False, position: Any = 0, scale: Any = 0.0, window: Any = 0, dropout: Any = 0.0, seed: Any = 0, offset: Any = 0) -> Any:
    """softmax(scale q k^T) v, block by block"""
def rope(x: Any, positions: Any = None, base: Any = 10000.0, position: Any = 0, width: Any = 0, interleaved: Any = False, inverse: Any = False) -> Any:
    """rows turned pair by pair by angles that grow with their position"""
def poincare_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + y, Moebius"""
def poincare_gyration(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """gyr[x, y] v, Moebius"""
def poincare_scalar_rows(x: Any, r: Any, c: Any, axis: Any = -1) -> Any:
    """r times x, Moebius"""
def poincare_exp(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """where the geodesic from x by v ends"""
def poincare_exp_backward(g: Any, x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """cotangents of poincare_exp's operands for that of its result"""
def poincare_log(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """the tangent vector at x that leads to y"""
def poincare_exp0(v: Any, c: Any, axis: Any = -1) -> Any:
    """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def poincare_log0(x: Any, c: Any, axis: Any = -1) -> Any:
    """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def poincare_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at x carried along the geodesic to y"""
def poincare_transport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at the origin carried to x"""
def poincare_geodesic(x: Any, y: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """the point at t on the geodesic from x to y"""
def poincare_egrad2rgrad(x: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """gradient g by coordinates in the metric at x"""
def poincare_project(x: Any, c: Any, axis: Any = -1, margin: Any = 2.384185791015625e-07) -> Any:
    """x brought within 1 - margin of the ball's radius"""
def poincare_lambda(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """2 / (1 - c|x|^2)"""
def poincare_dist(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y"""
def poincare_dist0(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x from the origin"""
def poincare_dist2(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y, squared"""
def poincare_inner(x: Any, u: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """<u, v> in the metric at x"""
def poincare_norm(x: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """|v| in the metric at x"""
def poincare_to_lorentz(x: Any, c: Any, axis: Any = -1) -> Any:
    """x on the hyperboloid"""
def poincare_to_klein(x: Any, c: Any, axis: Any = -1) -> Any:
    """x in the Klein ball"""
def poincare_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + (-y), Moebius"""
def poincare_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """r times x, Moebius"""
def lorentz_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + y: the boost that takes the origin to x, of y"""
def lorentz_scalar_rows(x: Any, r: Any, c: Any, axis: Any = -1) -> Any:
    """r times x"""
def lorentz_exp(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """where the geodesic from x by v ends"""
def lorentz_log(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """the tangent vector at x that leads to y"""
def lorentz_exp0(v: Any, c: Any, axis: Any = -1) -> Any:
    """sinh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def lorentz_log0(x: Any, c: Any, axis: Any = -1) -> Any:
    """arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def lorentz_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at x carried along the geodesic to y"""
def lorentz_transport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at the origin carried to x"""
def lorentz_geodesic(x: Any, y: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """the point at t on the geodesic from x to y"""
def lorentz_egrad2rgrad(x: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """gradient g by coordinates in the metric at x"""
def lorentz_dist(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y"""
def lorentz_dist_backward(x: Any, y: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """cotangents of lorentz_dist's operands for that of its result"""
def lorentz_dist0(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x from the origin"""
def lorentz_dist2(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y, squared"""
def lorentz_inner(x: Any, u: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """<u, v> in the metric at x"""
def lorentz_norm(x: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """|v| in the metric at x"""
def lorentz_to_poincare(x: Any, c: Any, axis: Any = -1) -> Any:
    """x in the Poincare ball"""
def lorentz_to_klein(x: Any, c: Any, axis: Any = -1) -> Any:
    """x in the Klein ball"""
def lorentz_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + (-y)"""
def lorentz_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """r times x"""
def lorentz_gyration(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """gyr[x, y] v"""
def lorentz_with_time(x: Any, c: Any, axis: Any = -1) -> Any:
    """(sqrt(1 / c + |x|^2), x)"""
def lorentz_without_time(x: Any, axis: Any = -1) -> Any:
    """the space coordinates of (time, x)"""
def klein_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + y, Einstein"""
def klein_scalar_rows(x: Any, r: Any, c: Any, axis: Any = -1) -> Any:
    """r times x, Einstein"""
def klein_exp(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """where the geodesic from x by v ends"""
def klein_log(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """the tangent vector at x that leads to y"""
def klein_exp0(v: Any, c: Any, axis: Any = -1) -> Any:
    """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def klein_log0(x: Any, c: Any, axis: Any = -1) -> Any:
    """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def klein_transport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at the origin carried to x"""
def klein_untransport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at x carried to the origin"""
def klein_geodesic(x: Any, y: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """the point at t on the geodesic from x to y"""
def klein_egrad2rgrad(x: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """gradient g by coordinates in the metric at x"""
def klein_project(x: Any, c: Any, axis: Any = -1, margin: Any = 2.384185791015625e-07) -> Any:
    """x brought within 1 - margin of the ball's radius"""
def klein_dist(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y"""
def klein_dist0(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x from the origin"""
def klein_dist2(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y, squared"""
def klein_inner(x: Any, u: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """<u, v> in the metric at x"""
def klein_norm(x: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """|v| in the metric at x"""
def klein_to_poincare(x: Any, c: Any, axis: Any = -1) -> Any:
    """x in the Poincare ball"""
def klein_to_lorentz(x: Any, c: Any, axis: Any = -1) -> Any:
    """x on the hyperboloid"""
def klein_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + (-y), Einstein"""
def klein_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """r times x, Einstein"""
def klein_gyration(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """gyr[x, y] v, Einstein"""
def klein_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at x carried along the geodesic to y"""
def poincare_ball_layer(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """the point at t on the geodesic from u to v"""
def poincare_ball_layer_backward(grad: Any, u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """cotangents of the layer's operands for that of its result"""
def poincare_gyro_lerp(u: Any, v: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """((1 - t) u) + (t v) by the model's sum and multiples"""
def lorentz_layer(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """the point at t on the geodesic from u to v"""
def lorentz_layer_backward(grad: Any, u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """cotangents of the layer's operands for that of its result"""
def lorentz_gyro_lerp(u: Any, v: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """((1 - t) u) + (t v) by the model's sum and multiples"""
def klein_layer(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """the point at t on the geodesic from u to v"""
def klein_layer_backward(grad: Any, u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """cotangents of the layer's operands for that of its result"""
def klein_gyro_lerp(u: Any, v: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """((1 - t) u) + (t v) by the model's sum and multiples"""
def poincare_matvec(m: Any, x: Any, c: Any) -> Any:
    """m times x: exp0(m log0(x))"""
def poincare_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """exp0(f(log0(x)))"""
def lorentz_matvec(m: Any, x: Any, c: Any) -> Any:
    """m times x: exp0(m log0(x))"""
def lorentz_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """exp0(f(log0(x)))"""
def klein_matvec(m: Any, x: Any, c: Any) -> Any:
    """m times x: exp0(m log0(x))"""
def klein_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """exp0(f(log0(x)))"""
def poincare_cdist(x: Any, y: Any, c: Any) -> Any:
    """distances of all pairs of x [..., n, d] and y [..., m, d]"""
def lorentz_cdist(x: Any, y: Any, c: Any) -> Any:
    """distances of all pairs of x [..., n, d] and y [..., m, d]"""
def klein_cdist(x: Any, y: Any, c: Any) -> Any:
    """distances of all pairs of x [..., n, d] and y [..., m, d]"""
def poincare_midpoint(x: Any, weights: Any, c: Any) -> Any:
    """the midpoint of points x [..., n, d] by weights [..., n]"""
def lorentz_midpoint(x: Any, weights: Any, c: Any) -> Any:
    """the midpoint of points x [..., n, d] by weights [..., n]"""
def klein_midpoint(x: Any, weights: Any, c: Any) -> Any:
    """the midpoint of points x [..., n, d] by weights [..., n]"""
def poincare_frechet_mean(x: Any, weights: Any, c: Any) -> Any:
    """the point of the least sum of weights [..., n] times squared distances to points x"""
def lorentz_frechet_mean(x: Any, weights: Any, c: Any) -> Any:
    """the point of the least sum of weights [..., n] times squared distances to points x"""
def klein_frechet_mean(x: Any, weights: Any, c: Any) -> Any:
    """the point of the least sum of weights [..., n] times squared distances to points x"""
def poincare_exp0_add(v: Any, b: Any, c: Any, axis: Any = -1) -> Any:
    """exp0(v) + b, Moebius, drawn inside the ball"""
def poincare_exp0_add_exp0(v: Any, b: Any, c: Any, axis: Any = -1) -> Any:
    """exp0(v) + exp0(b), Moebius, drawn inside the ball"""
def poincare_lift(x: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """points of the ball, and their time on the hyperboloid"""
def lorentz_lift(x: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """points of the hyperboloid, and their time"""
def poincare_planes(z: Any, r: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """normals z at gyrodistance r, and what turns products into scores"""
def lorentz_planes(z: Any, r: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """normals z at distance r, and what turns products into scores"""
def poincare_scores(product: Any, slope: Any, offset: Any, gain: Any, time: Any, c: Any, axis: Any = -1) -> Any:
    """scores of points of the ball by planes, of their product"""
def lorentz_scores(product: Any, slope: Any, offset: Any, gain: Any, time: Any, c: Any, axis: Any = -1) -> Any:
    """scores of points of the hyperboloid by planes, of their product"""
def poincare_from_planes(product: Any, slope: Any, offset: Any, gain: Any, time: Any, c: Any, axis: Any = -1) -> Any:
    """the point of the ball at scores by planes, of their product"""
def lorentz_gate(x: Any, v: Any, by_time: Any, bias: Any, scale: Any, c: Any, axis: Any = -1) -> Any:
    """points, their time, and how far out a linear layer puts each"""
def lorentz_gated(product: Any, w: Any, b: Any, time: Any, gate: Any, axis: Any = -1) -> Any:
    """product + time w + b, brought to the length that the gate says"""
def lorentz_affinity(product: Any, key_time: Any, time: Any, slope: Any, c: Any, axis: Any = -1) -> Any:
    """-slope times squared distances of queries and keys, of their products"""
def lorentz_weights(affinity: Any, key_time: Any, axis: Any = -1) -> Any:
    """softmax, and the mean of the keys' times by it"""
def lorentz_centroid(x: Any, time: Any, c: Any, axis: Any = -1, narrow: Any = False) -> Any:
    """the point of the hyperboloid in the direction of (time, x)"""
def poincare_boundary(x: Any, c: Any, margin: Any = 0.05) -> Any:
    """mean of max(0, c|x|^2 - (1 - margin)^2)^2"""
def curvature_penalty(c: Any, target: Any = 1.0) -> Any:
    """mean of log(c / target)^2"""
def poincare_variance(x: Any, c: Any) -> Any:
    """mean squared distance of points from their midpoint"""
def poincare_contrastive(x: Any, labels: Any, c: Any, temperature: Any = 0.1) -> Any:
    """supervised contrastive loss by distances"""
class Softmax:
    """e^x / sum e^x along an axis"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, axis: Any = -1) -> Any:
        """e^x / sum e^x along an axis"""
    def __getattr__(self, name: str, /) -> Any: ...
class LogSoftmax:
    """x - log sum e^x along an axis"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, axis: Any = -1) -> Any:
        """x - log sum e^x along an axis"""
    def __getattr__(self, name: str, /) -> Any: ...
class PoincareExp:
    """where the geodesic from x by v ends"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
        """where the geodesic from x by v ends"""
    def __getattr__(self, name: str, /) -> Any: ...
class LorentzDist:
    """distance of x and y"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
        """distance of x and y"""
    def __getattr__(self, name: str, /) -> Any: ...
class PoincareBallLayer:
    """the point at t on the geodesic from u to v"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
        """the point at t on the geodesic from u to v"""
    def __getattr__(self, name: str, /) -> Any: ...
class LorentzLayer:
    """the point at t on the geodesic from u to v"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
        """the point at t on the geodesic from u to v"""
    def __getattr__(self, name: str, /) -> Any: ...
class KleinLayer:
    """the point at t on the geodesic from u to v"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
        """the point at t on the geodesic from u to v"""
    def __getattr__(self, name: str, /) -> Any: ...
def mobius_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + y, Moebius"""
def mobius_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """x + (-y), Moebius"""
def mobius_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """r times x, Moebius"""
def mobius_scalar_mul(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """r times x, Moebius"""
def mobius_matvec(m: Any, x: Any, c: Any) -> Any:
    """m times x: exp0(m log0(x))"""
def mobius_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """exp0(f(log0(x)))"""
def expmap(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """where the geodesic from x by v ends"""
def logmap(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """the tangent vector at x that leads to y"""
def expmap0(v: Any, c: Any, axis: Any = -1) -> Any:
    """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def logmap0(x: Any, c: Any, axis: Any = -1) -> Any:
    """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def parallel_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """v at x carried along the geodesic to y"""
def poincare_distance(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y"""
def lorentz_distance(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y"""
def klein_distance(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """distance of x and y"""
from gyre.torch import nn as nn
from gyre.torch import hyperbolic as hyperbolic
from gyre.torch import optim as optim
