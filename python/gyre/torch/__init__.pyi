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
    """power: x ** y"""
def maximum(x: Any, y: Any) -> Any:
    """elementwise maximum; propagates NaN"""
def minimum(x: Any, y: Any) -> Any:
    """elementwise minimum; propagates NaN"""
def atan2(y: Any, x: Any) -> Any:
    """angle of the point (x, y) in radians, in [-pi, pi]"""
def logaddexp(x: Any, y: Any) -> Any:
    """log(e^x + e^y)"""
def fmod(x: Any, y: Any) -> Any:
    """remainder of truncated division, with the sign of x (C fmod)"""
def remainder(x: Any, y: Any) -> Any:
    """remainder of floor division, with the sign of y (Python %)"""
def floor_divide(x: Any, y: Any) -> Any:
    """floor division: floor(x / y)"""
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
    """logical AND"""
def logical_or(x: Any, y: Any) -> Any:
    """logical OR"""
def logical_xor(x: Any, y: Any) -> Any:
    """logical XOR"""
def logical_not(x: Any) -> Any:
    """logical NOT"""
def isnan(x: Any) -> Any:
    """true where x is NaN"""
def isinf(x: Any) -> Any:
    """true where x is infinite"""
def isfinite(x: Any) -> Any:
    """true where x is finite"""
def bitwise_and(x: Any, y: Any) -> Any:
    """bitwise AND"""
def bitwise_or(x: Any, y: Any) -> Any:
    """bitwise OR"""
def bitwise_xor(x: Any, y: Any) -> Any:
    """bitwise XOR"""
def bitwise_not(x: Any) -> Any:
    """bitwise NOT; logical NOT for boolean"""
def isclose(x: Any, y: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """whether x and y are equal within tolerances"""
def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = 1.7976931348623157e+308, neginf: Any = -1.7976931348623157e+308) -> Any:
    """replace NaN and infinities by numbers"""
def shift_left(x: Any, y: Any) -> Any:
    """left shift of integers: x 2^y"""
def shift_right(x: Any, y: Any) -> Any:
    """right shift of integers: floor(x / 2^y)"""
def where(condition: Any, x: Any, y: Any) -> Any:
    """select: x where condition is nonzero, else y"""
def clamp(x: Any, min: Any, max: Any) -> Any:
    """clamp to [min, max]: minimum(maximum(x, min), max)"""
def lerp(x: Any, y: Any, weight: Any) -> Any:
    """linear interpolation: x + weight (y - x)"""
def neg(x: Any) -> Any:
    """-x"""
def abs(x: Any) -> Any:
    """absolute value"""
def sign(x: Any) -> Any:
    """sign of x: -1, 0 or 1"""
def floor(x: Any) -> Any:
    """floor: round down"""
def ceil(x: Any) -> Any:
    """ceiling: round up"""
def round(x: Any) -> Any:
    """round to the nearest integer, ties to even"""
def trunc(x: Any) -> Any:
    """truncate: round towards zero"""
def square(x: Any) -> Any:
    """square: x^2"""
def reciprocal(x: Any) -> Any:
    """1 / x"""
def exp(x: Any) -> Any:
    """exponential: e^x"""
def exp2(x: Any) -> Any:
    """2^x"""
def expm1(x: Any) -> Any:
    """e^x - 1, accurate near 0"""
def log(x: Any) -> Any:
    """natural logarithm"""
def log1p(x: Any) -> Any:
    """log(1 + x), accurate near 0"""
def log2(x: Any) -> Any:
    """logarithm to base 2"""
def sqrt(x: Any) -> Any:
    """square root"""
def rsqrt(x: Any) -> Any:
    """reciprocal square root: 1 / sqrt(x)"""
def sin(x: Any) -> Any:
    """sine of x in radians"""
def cos(x: Any) -> Any:
    """cosine of x in radians"""
def tan(x: Any) -> Any:
    """tangent of x in radians"""
def asin(x: Any) -> Any:
    """arcsine in radians"""
def acos(x: Any) -> Any:
    """arccosine in radians"""
def atan(x: Any) -> Any:
    """arctangent in radians"""
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
    """complementary error function: 1 - erf(x)"""
def erfinv(x: Any) -> Any:
    """inverse error function: erf(erfinv(x)) = x, -1 < x < 1"""
def lgamma(x: Any) -> Any:
    """logarithm of the absolute value of the gamma function"""
def digamma(x: Any) -> Any:
    """derivative of lgamma"""
def zeta(s: Any, q: Any) -> Any:
    """Hurwitz zeta function: the sum of (q + k)^-s over k = 0, 1, ..."""
def sigmoid(x: Any) -> Any:
    """logistic sigmoid: 1 / (1 + e^-x)"""
def softplus(x: Any) -> Any:
    """log(1 + e^x)"""
def relu(x: Any) -> Any:
    """rectified linear unit: max(x, 0)"""
def relu_squared(x: Any) -> Any:
    """squared ReLU: max(x, 0)^2"""
def gelu(x: Any) -> Any:
    """Gaussian error linear unit: x Phi(x), Phi = standard normal CDF"""
def gelu_tanh(x: Any) -> Any:
    """tanh approximation of gelu"""
def silu(x: Any) -> Any:
    """SiLU (swish): x sigmoid(x)"""
def leaky_relu(x: Any, slope: Any = 0.01) -> Any:
    """leaky ReLU: x if x > 0, else slope * x"""
def elu(x: Any, alpha: Any = 1) -> Any:
    """exponential linear unit: x if x > 0, else alpha (e^x - 1)"""
def add_relu(x: Any, y: Any) -> Any:
    """fused relu(x + y)"""
def mul_relu(x: Any, y: Any) -> Any:
    """fused relu(x y)"""
def affine(x: Any, scale: Any, bias: Any) -> Any:
    """fused x * scale + bias"""
def sum(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """sum over axes"""
def mean(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """mean over axes"""
def prod(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """product over axes"""
def max(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """maximum over axes; propagates NaN"""
def min(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """minimum over axes; propagates NaN"""
def any(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """true if any element is nonzero, over axes"""
def all(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """true if all elements are nonzero, over axes"""
def argmax(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """index of the maximum; the first of equal elements"""
def argmin(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """index of the minimum; the first of equal elements"""
def var_rows(x: Any, axis: Any = -1, correction: Any = 1.0) -> Any:
    """variance along one axis"""
def std_rows(x: Any, axis: Any = -1, correction: Any = 1.0) -> Any:
    """standard deviation along one axis"""
def norm_rows(x: Any, axis: Any = -1) -> Any:
    """Euclidean norm along one axis"""
def var(x: Any, axes: Any = (), keepdim: Any = False, correction: Any = 1.0) -> Any:
    """variance over axes"""
def std(x: Any, axes: Any = (), keepdim: Any = False, correction: Any = 1.0) -> Any:
    """standard deviation over axes"""
def norm(x: Any, axes: Any = (), keepdim: Any = False, p: Any = 2.0) -> Any:
    """p-norm over axes: (sum |x|^p)^(1/p)"""
def cumsum(x: Any, axis: Any = -1, reverse: Any = False) -> Any:
    """cumulative sum along an axis"""
def cumprod(x: Any, axis: Any = -1, reverse: Any = False) -> Any:
    """cumulative product along an axis"""
def linear_recurrence(a: Any, b: Any, axis: Any = -1, reverse: Any = False) -> Any:
    """first-order linear recurrence along an axis: y_k = a_k y_(k-1) + b_k, y_(-1) = 0"""
def reshape(x: Any, shape: Any = ()) -> Any:
    """same elements in row-major order, new shape"""
def permute(x: Any, axes: Any = ()) -> Any:
    """permute axes"""
def transpose(x: Any, axis0: Any = -2, axis1: Any = -1) -> Any:
    """swap two axes"""
def expand(x: Any, shape: Any = ()) -> Any:
    """broadcast to a larger shape, as a view"""
def squeeze(x: Any, axes: Any = ()) -> Any:
    """remove axes of size 1"""
def unsqueeze(x: Any, axis: Any = 0) -> Any:
    """insert an axis of size 1"""
def slice(x: Any, axis: Any = 0, start: Any = 0, stop: Any = 9223372036854775807, step: Any = 1) -> Any:
    """x[start:stop:step] along an axis"""
def select(x: Any, axis: Any = 0, index: Any = 0) -> Any:
    """slice at one index of an axis; removes that axis"""
def slice_embed(x: Any, axis: Any = 0, start: Any = 0, step: Any = 1, size: Any = 0) -> Any:
    """zeros with x at [start::step] of an axis, the transpose of slice"""
def clone(x: Any) -> Any:
    """contiguous copy"""
def to(x: Any, dtype: Any = 'f32') -> Any:
    """cast to another dtype"""
def cat(*xs: Any, axis: Any = 0) -> Any:
    """concatenate tensors along an existing axis"""
def stack(*xs: Any, axis: Any = 0) -> Any:
    """stack tensors of equal shape along a new axis"""
def split(x: Any, sizes: Any = (), axis: Any = 0) -> Any:
    """split into consecutive parts of given sizes along an axis"""
def chunk(x: Any, chunks: Any = 1, axis: Any = 0) -> Any:
    """split into chunks of equal size along an axis; the last may be smaller"""
def flip(x: Any, axes: Any = ()) -> Any:
    """reverse the order of elements along axes"""
def roll(x: Any, shifts: Any = (), axes: Any = ()) -> Any:
    """circular shift along axes"""
def pad(x: Any, before: Any = (), after: Any = (), mode: Any = 'constant', value: Any = 0.0) -> Any:
    """pad both ends of axes (constant, reflect, replicate, circular)"""
def tile(x: Any, repeats: Any = ()) -> Any:
    """repeat the tensor along each axis"""
def repeat_interleave(x: Any, count: Any = 1, axis: Any = 0) -> Any:
    """repeat each slice along an axis consecutively"""
def unfold(x: Any, axis: Any = 0, size: Any = 1, step: Any = 1) -> Any:
    """sliding windows along an axis"""
def overlap_add(x: Any, axis: Any = 0, step: Any = 1, length: Any = 0) -> Any:
    """overlap-add: sum of windows along an axis, the transpose of unfold"""
def diagonal(x: Any, offset: Any = 0, axis0: Any = 0, axis1: Any = 1) -> Any:
    """diagonal of two axes, as a view"""
def diag_embed(x: Any, offset: Any = 0, axis0: Any = -2, axis1: Any = -1, rows: Any = -1, columns: Any = -1) -> Any:
    """diagonal matrices: zeros with the last axis on a diagonal"""
def tril(x: Any, diagonal: Any = 0) -> Any:
    """lower triangle: zeros above a diagonal"""
def triu(x: Any, diagonal: Any = 0) -> Any:
    """upper triangle: zeros below a diagonal"""
def gather(x: Any, index: Any, axis: Any = 0) -> Any:
    """gather values along an axis: one element of x per element of index"""
def scatter(x: Any, index: Any, src: Any, axis: Any = 0) -> Any:
    """copy of x with src written at index along an axis"""
def scatter_add(x: Any, index: Any, src: Any, axis: Any = 0) -> Any:
    """copy of x with src added at index along an axis"""
def scatter_reduce(x: Any, index: Any, src: Any, axis: Any = 0, reduce: Any = 'sum', include_self: Any = True) -> Any:
    """reduce src into a copy of x at index along an axis"""
def index_select(x: Any, index: Any, axis: Any = 0) -> Any:
    """slices of x along an axis selected by a 1-D index"""
def index_add(x: Any, index: Any, src: Any, axis: Any = 0) -> Any:
    """copy of x with slices of src added to the slices at index along an axis"""
def index(x: Any, *indices: Any) -> Any:
    """advanced indexing: elements selected by index tensors"""
def index_put(x: Any, values: Any, *indices: Any, accumulate: Any = False) -> Any:
    """copy of x with values written at the elements selected by index tensors"""
def take(x: Any, index: Any) -> Any:
    """elements at flat (row-major) indices"""
def masked_select(x: Any, mask: Any) -> Any:
    """1-D tensor of the elements where mask is true"""
def nonzero(x: Any) -> Any:
    """indices of the nonzero elements"""
def embedding(weight: Any, index: Any) -> Any:
    """embedding lookup: rows of weight [rows, ...] at an index of any shape: [index..., ...]"""
def masked_fill(x: Any, mask: Any, value: Any = 0.0) -> Any:
    """copy of x with elements set to value where mask is true"""
def one_hot(index: Any, classes: Any = -1, dtype: Any = 'f32') -> Any:
    """one-hot encoding along a new last axis"""
def as_strided(x: Any, shape: Any = (), strides: Any = (), offset: Any = 0) -> Any:
    """view of the elements of x, counted in row-major order, at offset + strides * index"""
def as_strided_scatter(x: Any, src: Any, shape: Any = (), strides: Any = (), offset: Any = 0) -> Any:
    """copy of x with src written at the elements that as_strided selects"""
def sort(x: Any, axis: Any = -1, descending: Any = False) -> Any:
    """sorted values along an axis and their indices"""
def argsort(x: Any, axis: Any = -1, descending: Any = False) -> Any:
    """indices that sort along an axis"""
def topk(x: Any, k: Any = 1, axis: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
    """the k largest or smallest elements along an axis and their indices"""
def searchsorted(sorted: Any, values: Any, right: Any = False) -> Any:
    """indices at which values would be inserted into sorted rows"""
def unique(x: Any) -> Any:
    """sorted unique values, inverse indices and counts"""
def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """counts of each non-negative integer"""
def kthvalue(x: Any, k: Any = 1, axis: Any = -1, keepdim: Any = False) -> Any:
    """k-th smallest value along an axis and its index"""
def median(x: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """median along an axis, the lower of two, and its index"""
def quantile(x: Any, q: Any = 0.5, axes: Any = (), keepdim: Any = False, interpolation: Any = 'linear') -> Any:
    """quantile over axes, interpolated between elements"""
def rand(shape: Any = (), dtype: Any = 'f32', seed: Any = 0, offset: Any = 0) -> Any:
    """uniform random numbers in [0, 1)"""
def randn(shape: Any = (), dtype: Any = 'f32', seed: Any = 0, offset: Any = 0) -> Any:
    """standard normal random numbers"""
def randint(low: Any = 0, high: Any = 2, shape: Any = (), dtype: Any = 'i64', seed: Any = 0, offset: Any = 0) -> Any:
    """random integers in [low, high)"""
def bernoulli(p: Any = 0.5, shape: Any = (), dtype: Any = 'boolean', seed: Any = 0, offset: Any = 0) -> Any:
    """Bernoulli samples: 1 with probability p, else 0"""
def dropout(x: Any, p: Any = 0.5, seed: Any = 0, offset: Any = 0) -> Any:
    """dropout: zero with probability p, else x / (1 - p)"""
def softmax(x: Any, axis: Any = -1) -> Any:
    """softmax along an axis: e^x / sum e^x"""
def log_softmax(x: Any, axis: Any = -1) -> Any:
    """log-softmax along an axis: x - log sum e^x"""
def softmax_backward(g: Any, y: Any, axis: Any = -1) -> Any:
    """gradient of softmax from its output"""
def log_softmax_backward(g: Any, y: Any, axis: Any = -1) -> Any:
    """gradient of log_softmax from its output"""
def logsumexp_rows(x: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """log-sum-exp along one axis: log sum e^x"""
def layer_norm(x: Any, weight: Any = None, bias: Any = None, axis: Any = -1, eps: Any = 1e-05) -> Any:
    """layer normalisation: (x - mean) / sqrt(variance + eps) * weight + bias"""
def rms_norm(x: Any, weight: Any = None, axis: Any = -1, eps: Any = 1e-05) -> Any:
    """root mean square normalisation: x / sqrt(mean(x^2) + eps) * weight"""
def moments(x: Any, axis: Any = -1) -> Any:
    """mean and biased variance along an axis"""
def standardize(x: Any, mean: Any, variance: Any, weight: Any = None, bias: Any = None, axis: Any = -1, eps: Any = 1e-05) -> Any:
    """standardize with given moments: (x - mean) / sqrt(variance + eps) * weight + bias"""
def cosine_similarity(x: Any, y: Any, axis: Any = -1, eps: Any = 1e-08) -> Any:
    """cosine similarity along an axis: x . y / (|x| |y|)"""
def group_norm(x: Any, weight: Any = None, bias: Any = None, groups: Any = 1, eps: Any = 1e-05) -> Any:
    """group normalisation over groups of channels"""
def batch_norm(x: Any, weight: Any = None, bias: Any = None, mean: Any = None, variance: Any = None, eps: Any = 1e-05) -> Any:
    """batch normalisation of each channel; also returns mean and biased variance"""
def logsumexp(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """log-sum-exp over axes: log sum e^x"""
def mse_terms(x: Any, y: Any) -> Any:
    """squared error: (x - y)^2"""
def l1_terms(x: Any, y: Any) -> Any:
    """absolute error: |x - y|"""
def huber_terms(x: Any, y: Any, delta: Any) -> Any:
    """Huber loss per element: (x - y)^2 / 2 if |x - y| < delta, else linear"""
def bce_terms(x: Any, y: Any) -> Any:
    """binary cross entropy per element: -(y log x + (1 - y) log(1 - x))"""
def bce_with_logits_terms(x: Any, y: Any, pos_weight: Any) -> Any:
    """binary cross entropy of logits per element: -(pos_weight y log s(x) + (1 - y) log s(-x)), s =
    sigmoid
    """
def kl_div_terms(x: Any, y: Any) -> Any:
    """Kullback-Leibler divergence terms: y (log y - x)"""
def kl_div_log_terms(x: Any, y: Any) -> Any:
    """Kullback-Leibler divergence terms of log-probabilities: e^y (y - x)"""
def cross_entropy_rows(logits: Any, target: Any, axis: Any = -1, ignore_index: Any = -100) -> Any:
    """cross entropy per row: -log softmax(logits)[target]"""
def weighted_cross_entropy_rows(logits: Any, weight: Any, target: Any, axis: Any = -1, ignore_index: Any = -100, label_smoothing: Any = 0.0) -> Any:
    """cross entropy per row with class weights and label smoothing"""
def probability_cross_entropy_rows(logits: Any, target: Any, weight: Any = None, axis: Any = -1, label_smoothing: Any = 0.0) -> Any:
    """cross entropy per row with class probabilities as target"""
def mse(x: Any, y: Any, reduction: Any = 'mean') -> Any:
    """mean squared error: (x - y)^2, reduced by mean (default), sum or none"""
def l1(x: Any, y: Any, reduction: Any = 'mean') -> Any:
    """mean absolute error: |x - y|, reduced by mean (default), sum or none"""
def huber(x: Any, y: Any, delta: Any = 1.0, reduction: Any = 'mean') -> Any:
    """Huber loss: (x - y)^2 / 2 if |x - y| < delta, else linear; mean by default"""
def smooth_l1(x: Any, y: Any, beta: Any = 1.0, reduction: Any = 'mean') -> Any:
    """smooth L1 loss: Huber loss / beta; mean by default"""
def bce(x: Any, y: Any, reduction: Any = 'mean') -> Any:
    """binary cross entropy of probabilities; mean by default"""
def bce_with_logits(x: Any, y: Any, pos_weight: Any = None, reduction: Any = 'mean') -> Any:
    """binary cross entropy of logits: bce of sigmoid(x); mean by default"""
def kl_div(x: Any, y: Any, log_target: Any = False, reduction: Any = 'mean') -> Any:
    """Kullback-Leibler divergence of y from log-probabilities x; mean by default"""
def nll(x: Any, target: Any, weight: Any = None, axis: Any = -1, ignore_index: Any = -100, reduction: Any = 'mean') -> Any:
    """negative log-likelihood: -x[target] of log-probabilities x; mean by default"""
def cross_entropy(logits: Any, target: Any, weight: Any = None, axis: Any = -1, ignore_index: Any = -100, label_smoothing: Any = 0.0, reduction: Any = 'mean') -> Any:
    """cross entropy loss: -log softmax(logits)[target]; mean by default"""
def matmul(x: Any, y: Any) -> Any:
    """matrix product; broadcasts batch axes, accepts vectors"""
def linear(x: Any, weight: Any, bias: Any = None) -> Any:
    """linear layer: x W^T + bias, weight W [out, in]"""
def linear_act(x: Any, weight: Any, bias: Any = None, act: Any = 'none') -> Any:
    """linear layer with activation: act(x W^T + bias)"""
def outer(x: Any, y: Any) -> Any:
    """outer product of two vectors: x_i y_j"""
def triangular_solve(a: Any, b: Any, upper: Any = False, transpose: Any = False, unitriangular: Any = False, left: Any = True) -> Any:
    """solve a X = b or X a = b for triangular a"""
def solve(a: Any, b: Any) -> Any:
    """solve the linear system a X = b"""
def inverse(x: Any) -> Any:
    """inverse of square matrices"""
def matrix_power(x: Any, power: Any = 2) -> Any:
    """integer power of square matrices"""
def det(x: Any) -> Any:
    """determinant of square matrices"""
def slogdet(x: Any) -> Any:
    """sign and log |det x| (natural logarithm) of square matrices"""
def lstsq(a: Any, b: Any) -> Any:
    """least-squares solution of a X = b; a must have full rank"""
def cholesky(x: Any) -> Any:
    """Cholesky decomposition: lower triangular L with x = L L^T (uses the symmetric part of x)"""
def qr(x: Any) -> Any:
    """reduced QR decomposition: x = Q R, Q with orthonormal columns, R upper triangular"""
def svd(x: Any) -> Any:
    """reduced singular value decomposition (SVD): x = u diag(s) vh"""
def eigh(x: Any) -> Any:
    """eigenvalues and eigenvectors of symmetric matrices (uses the symmetric part of x)"""
def addmm(x: Any, a: Any, b: Any, beta: Any = 1.0, alpha: Any = 1.0) -> Any:
    """matrix product added to a tensor: beta x + alpha a b"""
def tensordot(x: Any, y: Any, x_axes: Any = (), y_axes: Any = ()) -> Any:
    """sum of products over pairs of axes of two tensors"""
def kron(x: Any, y: Any) -> Any:
    """Kronecker product: every element of x times y"""
def cross(x: Any, y: Any, axis: Any = -1) -> Any:
    """cross product of 3-d vectors along an axis"""
def trace(x: Any, offset: Any = 0, axis0: Any = 0, axis1: Any = 1) -> Any:
    """trace: sum of the diagonal of two axes"""
def cdist(x: Any, y: Any, p: Any = 2.0) -> Any:
    """pairwise distances of rows: p-norm of x_i - y_j"""
def pinv(x: Any, rtol: Any = -1.0) -> Any:
    """Moore-Penrose pseudoinverse of matrices"""
def csr_matmul(crow_indices: Any, col_indices: Any, values: Any, dense: Any) -> Any:
    """product of a sparse matrix in compressed sparse rows (CSR) with a dense matrix or vector"""
def csr_sampled_matmul(crow_indices: Any, col_indices: Any, x: Any, y: Any) -> Any:
    """sampled dense-dense product: elements of x y^T at the places of a sparse matrix (CSR)"""
def csr_transpose(crow_indices: Any, col_indices: Any, columns: Any = -1) -> Any:
    """structure of the transpose of a sparse matrix (CSR), and the order of its values"""
def semiring_matmul(x: Any, y: Any, semiring: Any = 'min_plus') -> Any:
    """matrix product over a semiring, e.g. min_plus: out_ij = min over l of x_il + y_lj"""
def semiring_fixpoint(a: Any, b: Any, semiring: Any = 'min_plus') -> Any:
    """solution x of x = best of b and a x over a semiring: lengths of shortest paths"""
def einsum(*tensors: Any, spec: Any = '') -> Any:
    """Einstein summation"""
def conv2d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """2-D convolution of x [N, in, H, W] by weight [out, in / groups, h, w]"""
def conv1d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """1-D convolution of x [N, in, L] by weight [out, in / groups, l]"""
def conv_transpose2d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """2-D transposed convolution of x [N, in, H, W] by weight [in, out / groups, h, w]"""
def conv_transpose1d(x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """1-D transposed convolution of x [N, in, L] by weight [in, out / groups, l]"""
def conv2d_weight_gradient(x: Any, grad: Any, kernel: Any = 1, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1) -> Any:
    """gradient of conv2d with respect to its weight"""
def max_pool2d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False) -> Any:
    """2-D max pooling"""
def max_pool1d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: Any = False) -> Any:
    """1-D max pooling"""
def avg_pool2d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> Any:
    """2-D average pooling"""
def avg_pool1d(x: Any, kernel: Any = 1, stride: Any = (), padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> Any:
    """1-D average pooling"""
def avg_pool2d_gradient(grad: Any, size: Any = 1, kernel: Any = 1, stride: Any = (), padding: Any = 0, ceil_mode: Any = False, count_include_pad: Any = True) -> Any:
    """gradient of avg_pool2d with respect to its input"""
def adaptive_max_pool2d(x: Any, size: Any = 1) -> Any:
    """adaptive 2-D max pooling to a given output size"""
def adaptive_max_pool1d(x: Any, size: Any = 1) -> Any:
    """adaptive 1-D max pooling to a given output size"""
def adaptive_avg_pool2d(x: Any, size: Any = 1) -> Any:
    """adaptive 2-D average pooling to a given output size"""
def adaptive_avg_pool1d(x: Any, size: Any = 1) -> Any:
    """adaptive 1-D average pooling to a given output size"""
def adaptive_avg_pool2d_gradient(grad: Any, size: Any = 1) -> Any:
    """gradient of adaptive_avg_pool2d with respect to its input"""
def im2col(x: Any, kernel: Any = 1, stride: Any = 1, padding: Any = 0, dilation: Any = 1) -> Any:
    """im2col: sliding windows of images as columns"""
def col2im(x: Any, size: Any = 1, kernel: Any = 1, stride: Any = 1, padding: Any = 0, dilation: Any = 1) -> Any:
    """col2im: sum of columns into images, the transpose of im2col"""
def scaled_dot_product_attention(q: Any, k: Any, v: Any, mask: Any = None, lengths: Any = None, causal: Any = False, scale: Any = 0.0, softcap: Any = 0.0, window: Any = 0, dropout: Any = 0.0, seed: Any = 0, offset: Any = 0) -> Any:
    """attention softmax(scale q k^T) v of q, k, v [..., heads, length, width], computed blockwise;
    lengths: number of valid keys per sequence, of which the queries are the last
    """
def rope(x: Any, positions: Any = None, frequencies: Any = None, base: Any = 10000.0, position: Any = 0, width: Any = 0, interleaved: Any = False, inverse: Any = False) -> Any:
    """rotary position embedding (RoPE): rotates pairs of features by position * frequency"""
def poincare_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius addition x ⊕ y"""
def poincare_gyration(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
def poincare_scalar_rows(x: Any, r: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius scalar multiplication r ⊗ x"""
def poincare_exp(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at x"""
def poincare_exp_backward(g: Any, x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """gradients of poincare_exp: cotangents of its operands from that of its result"""
def poincare_log(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of y at x"""
def poincare_exp0(v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def poincare_log0(x: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def poincare_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from x to y"""
def poincare_transport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from the origin to x"""
def poincare_geodesic(x: Any, y: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """point at t on the geodesic from x (t = 0) to y (t = 1)"""
def poincare_egrad2rgrad(x: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """Riemannian gradient at x from the Euclidean gradient g"""
def poincare_project(x: Any, c: Any, axis: Any = -1, margin: Any = 2.384185791015625e-07) -> Any:
    """project x into the ball: clip its norm to 1 - margin of the radius"""
def poincare_lambda(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """conformal factor 2 / (1 - c|x|^2)"""
def poincare_dist(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance between x and y"""
def poincare_dist0(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance from x to the origin"""
def poincare_dist2(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """squared geodesic distance between x and y"""
def poincare_inner(x: Any, u: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """inner product <u, v> of tangent vectors at x"""
def poincare_norm(x: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """norm |v| of a tangent vector at x"""
def poincare_to_lorentz(x: Any, c: Any, axis: Any = -1) -> Any:
    """x mapped to the hyperboloid (isometry)"""
def poincare_to_klein(x: Any, c: Any, axis: Any = -1) -> Any:
    """x mapped to the Klein ball (isometry)"""
def poincare_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius subtraction x ⊕ (-y)"""
def poincare_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius scalar multiplication r ⊗ x"""
def lorentz_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """gyrovector addition x ⊕ y: the boost from the origin to x, applied to y"""
def lorentz_scalar_rows(x: Any, r: Any, c: Any, axis: Any = -1) -> Any:
    """scalar multiplication r ⊗ x = exp0(r log0(x))"""
def lorentz_exp(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at x"""
def lorentz_log(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of y at x"""
def lorentz_exp0(v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at the origin: sinh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def lorentz_log0(x: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of x at the origin: arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def lorentz_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from x to y"""
def lorentz_transport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from the origin to x"""
def lorentz_geodesic(x: Any, y: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """point at t on the geodesic from x (t = 0) to y (t = 1)"""
def lorentz_egrad2rgrad(x: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """Riemannian gradient at x from the Euclidean gradient g"""
def lorentz_dist(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance between x and y"""
def lorentz_dist_backward(x: Any, y: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """gradients of lorentz_dist: cotangents of its operands from that of its result"""
def lorentz_dist0(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance from x to the origin"""
def lorentz_dist2(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """squared geodesic distance between x and y"""
def lorentz_inner(x: Any, u: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """inner product <u, v> of tangent vectors at x"""
def lorentz_norm(x: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """norm |v| of a tangent vector at x"""
def lorentz_to_poincare(x: Any, c: Any, axis: Any = -1) -> Any:
    """x mapped to the Poincaré ball (isometry)"""
def lorentz_to_klein(x: Any, c: Any, axis: Any = -1) -> Any:
    """x mapped to the Klein ball (isometry)"""
def lorentz_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """gyrovector subtraction x ⊕ (-y)"""
def lorentz_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """scalar multiplication r ⊗ x = exp0(r log0(x))"""
def lorentz_gyration(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
def lorentz_with_time(x: Any, c: Any, axis: Any = -1) -> Any:
    """prepend the time coordinate: (sqrt(1 / c + |x|^2), x)"""
def lorentz_without_time(x: Any, axis: Any = -1) -> Any:
    """remove the time coordinate: x of (time, x)"""
def klein_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """Einstein addition x ⊕ y"""
def klein_scalar_rows(x: Any, r: Any, c: Any, axis: Any = -1) -> Any:
    """scalar multiplication r ⊗ x of the Einstein gyrovector space"""
def klein_exp(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at x"""
def klein_log(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of y at x"""
def klein_exp0(v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def klein_log0(x: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def klein_transport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from the origin to x"""
def klein_untransport0(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from x to the origin"""
def klein_geodesic(x: Any, y: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """point at t on the geodesic from x (t = 0) to y (t = 1)"""
def klein_egrad2rgrad(x: Any, g: Any, c: Any, axis: Any = -1) -> Any:
    """Riemannian gradient at x from the Euclidean gradient g"""
def klein_project(x: Any, c: Any, axis: Any = -1, margin: Any = 2.384185791015625e-07) -> Any:
    """project x into the ball: clip its norm to 1 - margin of the radius"""
def klein_dist(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance between x and y"""
def klein_dist0(x: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance from x to the origin"""
def klein_dist2(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """squared geodesic distance between x and y"""
def klein_inner(x: Any, u: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """inner product <u, v> of tangent vectors at x"""
def klein_norm(x: Any, v: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """norm |v| of a tangent vector at x"""
def klein_to_poincare(x: Any, c: Any, axis: Any = -1) -> Any:
    """x mapped to the Poincaré ball (isometry)"""
def klein_to_lorentz(x: Any, c: Any, axis: Any = -1) -> Any:
    """x mapped to the hyperboloid (isometry)"""
def klein_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """Einstein subtraction x ⊕ (-y)"""
def klein_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """scalar multiplication r ⊗ x of the Einstein gyrovector space"""
def klein_gyration(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
def klein_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from x to y"""
def poincare_ball_layer(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
def poincare_ball_layer_backward(grad: Any, u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """gradients of the geodesic layer: cotangents of its operands from that of its result"""
def poincare_gyro_lerp(u: Any, v: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
def lorentz_layer(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
def lorentz_layer_backward(grad: Any, u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """gradients of the geodesic layer: cotangents of its operands from that of its result"""
def lorentz_gyro_lerp(u: Any, v: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
def klein_layer(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
def klein_layer_backward(grad: Any, u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
    """gradients of the geodesic layer: cotangents of its operands from that of its result"""
def klein_gyro_lerp(u: Any, v: Any, t: Any, c: Any, axis: Any = -1) -> Any:
    """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
def poincare_matvec(m: Any, x: Any, c: Any) -> Any:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def poincare_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def lorentz_matvec(m: Any, x: Any, c: Any) -> Any:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def lorentz_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def klein_matvec(m: Any, x: Any, c: Any) -> Any:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def klein_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def poincare_cdist(x: Any, y: Any, c: Any) -> Any:
    """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
def lorentz_cdist(x: Any, y: Any, c: Any) -> Any:
    """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
def klein_cdist(x: Any, y: Any, c: Any) -> Any:
    """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
def poincare_midpoint(x: Any, weights: Any, c: Any) -> Any:
    """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these
    are 0
    """
def lorentz_midpoint(x: Any, weights: Any, c: Any) -> Any:
    """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these
    are 0
    """
def klein_midpoint(x: Any, weights: Any, c: Any) -> Any:
    """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these
    are 0
    """
def poincare_frechet_mean(x: Any, weights: Any, c: Any) -> Any:
    """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
def lorentz_frechet_mean(x: Any, weights: Any, c: Any) -> Any:
    """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
def klein_frechet_mean(x: Any, weights: Any, c: Any) -> Any:
    """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
def poincare_exp0_add(v: Any, b: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius bias exp0(v) ⊕ b, projected into the ball"""
def poincare_exp0_add_exp0(v: Any, b: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius bias exp0(v) ⊕ exp0(b), projected into the ball"""
def poincare_lift(x: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """points of the Poincaré ball and their time coordinate on the hyperboloid"""
def lorentz_lift(x: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """points of the hyperboloid and their time coordinate"""
def poincare_planes(z: Any, r: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """hyperplanes of the Poincaré ball with normals z at gyrodistance r: normals and logit coefficients
    """
def lorentz_planes(z: Any, r: Any, c: Any, axis: Any = -1, wide: Any = False) -> Any:
    """hyperplanes of the hyperboloid with normals z at distance r: normals and logit coefficients"""
def poincare_scores(product: Any, slope: Any, offset: Any, gain: Any, time: Any, c: Any, axis: Any = -1) -> Any:
    """logits of PoincareMLR from the product of points and normals"""
def lorentz_scores(product: Any, slope: Any, offset: Any, gain: Any, time: Any, c: Any, axis: Any = -1) -> Any:
    """logits of LorentzMLR from the product of points and normals"""
def poincare_from_planes(product: Any, slope: Any, offset: Any, gain: Any, time: Any, c: Any, axis: Any = -1) -> Any:
    """output of PoincareLinear from the product of points and normals"""
def lorentz_gate(x: Any, v: Any, by_time: Any, bias: Any, scale: Any, c: Any, axis: Any = -1) -> Any:
    """gate of LorentzLinear: x, its time t and scale sigmoid(<v, x> + by_time t + bias)"""
def lorentz_gated(product: Any, w: Any, b: Any, time: Any, gate: Any, axis: Any = -1) -> Any:
    """output of LorentzLinear: gate h / |h| with h = product + time w + b"""
def lorentz_affinity(product: Any, key_time: Any, time: Any, slope: Any, c: Any, axis: Any = -1) -> Any:
    """hyperbolic attention scores -slope d(query, key)^2 from inner products and times"""
def lorentz_weights(affinity: Any, key_time: Any, axis: Any = -1) -> Any:
    """attention weights (softmax) and the weighted mean of the keys' times"""
def lorentz_centroid(x: Any, time: Any, c: Any, axis: Any = -1, narrow: Any = False) -> Any:
    """Lorentz centroid: (time, x) normalised onto the hyperboloid"""
def poincare_boundary(x: Any, c: Any, margin: Any = 0.05) -> Any:
    """boundary penalty: mean of max(0, c|x|^2 - (1 - margin)^2)^2"""
def curvature_penalty(c: Any, target: Any = 1.0) -> Any:
    """curvature penalty: mean of log(c / target)^2"""
def poincare_variance(x: Any, c: Any) -> Any:
    """variance: mean squared distance of points to their midpoint"""
def poincare_contrastive(x: Any, labels: Any, c: Any, temperature: Any = 0.1) -> Any:
    """supervised contrastive loss with negative distances as similarities"""
def packed_matmul(x: Any, w: Any, transpose: Any = True, format: Any = 'own') -> Any:
    """x w^T, or x w, for packed w, which is decoded tile by tile"""
def packed_matmul_int8(x: Any, w: Any, format: Any = 'own') -> Any:
    """x w^T for packed w, with x rounded to 8 bits; has no gradient"""
def packed_decode(w: Any, format: Any = 'own') -> Any:
    """weights of a packed tensor as a plain f32 tensor"""
def packed_rows(w: Any, indices: Any, format: Any = 'own') -> Any:
    """rows of packed w by index"""
def packed_encode(x: Any, format: Any = 'D4', seed: Any = 1) -> Any:
    """packed weights nearest to x; the gradient passes straight through"""
def packed_transition(w: Any, words: Any, bits: Any) -> Any:
    """packed w with a bit of each of some words flipped: applied twice it gives w again"""
def packed_riemannian_step(points: Any, gradient: Any, m: Any, v: Any, lr: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, eps: Any = 1e-08, step: Any = 1, turns: Any = True) -> Any:
    """step of Adam for scales and angles of packed weights, points of the hyperbolic plane"""
class Softmax:
    """softmax along an axis: e^x / sum e^x"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, axis: Any = -1) -> Any:
        """softmax along an axis: e^x / sum e^x"""
    def __getattr__(self, name: str, /) -> Any: ...
class LogSoftmax:
    """log-softmax along an axis: x - log sum e^x"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, axis: Any = -1) -> Any:
        """log-softmax along an axis: x - log sum e^x"""
    def __getattr__(self, name: str, /) -> Any: ...
class PoincareExp:
    """exponential map of v at x"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
        """exponential map of v at x"""
    def __getattr__(self, name: str, /) -> Any: ...
class LorentzDist:
    """geodesic distance between x and y"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
        """geodesic distance between x and y"""
    def __getattr__(self, name: str, /) -> Any: ...
class PoincareBallLayer:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
        """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    def __getattr__(self, name: str, /) -> Any: ...
class LorentzLayer:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
        """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    def __getattr__(self, name: str, /) -> Any: ...
class KleinLayer:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    @staticmethod
    def forward(ctx: Any, *args: Any) -> Any: ...
    @staticmethod
    def apply(u: Any, v: Any, c: Any, t: Any, axis: Any = -1) -> Any:
        """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    def __getattr__(self, name: str, /) -> Any: ...
def mobius_add(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius addition x ⊕ y"""
def mobius_sub(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius subtraction x ⊕ (-y)"""
def mobius_scalar(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius scalar multiplication r ⊗ x"""
def mobius_scalar_mul(r: Any, x: Any, c: Any, axis: Any = -1) -> Any:
    """Möbius scalar multiplication r ⊗ x"""
def mobius_matvec(m: Any, x: Any, c: Any) -> Any:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def mobius_pointwise(x: Any, c: Any, axis: Any = -1, f: Any = 'relu') -> Any:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def expmap(x: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at x"""
def logmap(x: Any, y: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of y at x"""
def expmap0(v: Any, c: Any, axis: Any = -1) -> Any:
    """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def logmap0(x: Any, c: Any, axis: Any = -1) -> Any:
    """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def parallel_transport(x: Any, y: Any, v: Any, c: Any, axis: Any = -1) -> Any:
    """parallel transport of v from x to y"""
def poincare_distance(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance between x and y"""
def lorentz_distance(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance between x and y"""
def klein_distance(x: Any, y: Any, c: Any, axis: Any = -1, keepdim: Any = False) -> Any:
    """geodesic distance between x and y"""
def absolute(x: Any) -> Any:
    """absolute value"""
def negative(x: Any) -> Any:
    """-x"""
def subtract(x: Any, y: Any) -> Any:
    """x - y"""
def multiply(x: Any, y: Any) -> Any:
    """x * y"""
def divide(x: Any, y: Any) -> Any:
    """x / y"""
def true_divide(x: Any, y: Any) -> Any:
    """x / y"""
def greater(x: Any, y: Any) -> Any:
    """x > y"""
def greater_equal(x: Any, y: Any) -> Any:
    """x >= y"""
def less(x: Any, y: Any) -> Any:
    """x < y"""
def less_equal(x: Any, y: Any) -> Any:
    """x <= y"""
def not_equal(x: Any, y: Any) -> Any:
    """x != y"""
def fix(x: Any) -> Any:
    """truncate: round towards zero"""
def sgn(x: Any) -> Any:
    """sign of x: -1, 0 or 1"""
def gammaln(x: Any) -> Any:
    """logarithm of the absolute value of the gamma function"""
def psi(x: Any) -> Any:
    """derivative of lgamma"""
def arccos(x: Any) -> Any:
    """arccosine in radians"""
def arcsin(x: Any) -> Any:
    """arcsine in radians"""
def arctan(x: Any) -> Any:
    """arctangent in radians"""
def arctan2(y: Any, x: Any) -> Any:
    """angle of the point (x, y) in radians, in [-pi, pi]"""
def arccosh(x: Any) -> Any:
    """inverse hyperbolic cosine"""
def arcsinh(x: Any) -> Any:
    """inverse hyperbolic sine"""
def arctanh(x: Any) -> Any:
    """inverse hyperbolic tangent"""
def bitwise_left_shift(x: Any, y: Any) -> Any:
    """left shift of integers: x 2^y"""
def bitwise_right_shift(x: Any, y: Any) -> Any:
    """right shift of integers: floor(x / 2^y)"""
def bitwise_invert(x: Any) -> Any:
    """bitwise NOT; logical NOT for boolean"""
def amax(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """maximum over axes; propagates NaN"""
def amin(x: Any, axes: Any = (), keepdim: Any = False) -> Any:
    """minimum over axes; propagates NaN"""
def concat(*xs: Any, axis: Any = 0) -> Any:
    """concatenate tensors along an existing axis"""
def concatenate(*xs: Any, axis: Any = 0) -> Any:
    """concatenate tensors along an existing axis"""
def swapaxes(x: Any, axis0: Any = -2, axis1: Any = -1) -> Any:
    """swap two axes"""
def swapdims(x: Any, axis0: Any = -2, axis1: Any = -1) -> Any:
    """swap two axes"""
def broadcast_to(x: Any, shape: Any = ()) -> Any:
    """broadcast to a larger shape, as a view"""
def bmm(x: Any, y: Any) -> Any:
    """matrix product; broadcasts batch axes, accepts vectors"""
def mm(x: Any, y: Any) -> Any:
    """matrix product; broadcasts batch axes, accepts vectors"""
def mv(x: Any, y: Any) -> Any:
    """matrix product; broadcasts batch axes, accepts vectors"""
def dot(x: Any, y: Any) -> Any:
    """matrix product; broadcasts batch axes, accepts vectors"""
def ger(x: Any, y: Any) -> Any:
    """outer product of two vectors: x_i y_j"""
def addmv(x: Any, a: Any, b: Any, beta: Any = 1.0, alpha: Any = 1.0) -> Any:
    """matrix product added to a tensor: beta x + alpha a b"""
def baddbmm(x: Any, a: Any, b: Any, beta: Any = 1.0, alpha: Any = 1.0) -> Any:
    """matrix product added to a tensor: beta x + alpha a b"""
from gyre.torch import nn as nn
from gyre.torch import hyperbolic as hyperbolic
from gyre.torch import optim as optim
