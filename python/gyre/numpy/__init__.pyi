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
class __array_namespace_info__:
    """What the namespace supports: capabilities, devices and dtypes, as the array API standard defines
    them.
    """
    def capabilities(self) -> Any:
        """Optional features of the standard."""
    def default_device(self) -> Any:
        """Device of new arrays."""
    def devices(self) -> Any:
        """Devices of this machine."""
    def default_dtypes(self, *, device: Any = None) -> Any:
        """Dtypes of new arrays."""
    def dtypes(self, *, device: Any = None, kind: Any = None) -> Any:
        """Dtypes of the standard by name, in all or of a kind."""
def abs(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Absolute value."""
def absolute(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Absolute value."""
def acos(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse cosine."""
def acosh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse hyperbolic cosine."""
def add(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x + y."""
def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
    """Whether all elements are nonzero, in all or over axes."""
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are close: a bool."""
def amax(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    """Same as max."""
def amin(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    """Same as min."""
def angle(z: Any, deg: Any = False) -> Any:
    """Angle in the complex plane: 0, and pi (180 degrees) for negative numbers."""
def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
    """Whether an element is nonzero, in all or over axes."""
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """Values joined to the end along an axis; both flattened without one."""
def apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Applies a function to the vectors along an axis; its results take the place of that axis."""
def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """Applies func(a, axis) over axes one after the other; reduced axes stay with size 1."""
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None) -> Any:
    """Numbers from start, 0 by default, to stop (excluded) with a step; i64 of integers, u64 if one
    exceeds i64, else f64.
    """
def arccos(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse cosine."""
def arccosh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse hyperbolic cosine."""
def arcsin(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse sine."""
def arcsinh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse hyperbolic sine."""
def arctan(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse tangent."""
def arctan2(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Angle of the point (y, x)."""
def arctanh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse hyperbolic tangent."""
def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first maximum, in the flattened array or along an axis."""
def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first minimum, in the flattened array or along an axis."""
def argpartition(a: Any, kth: Any, axis: Any = -1) -> Any:
    """Indices that sort along an axis."""
def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: Any = False) -> Any:
    """Indices that sort along an axis, the flattened array for axis=None; always stable."""
def argwhere(a: Any) -> Any:
    """Indices of the nonzero elements [n, axes]."""
def around(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """Same as round."""
def array(object: Any, dtype: Any = None, *, copy: Any = True, order: Any = 'K', subok: Any = False, ndmin: Any = 0, device: Any = None) -> Any:
    """Tensor of an array, numbers or nested lists, of tensors as well; a copy by default."""
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    """Whether both have the same shape and elements: a bool."""
def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether both broadcast to the same elements: a bool."""
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Parts along an axis, a list of views: that many of nearly equal size, or between indices."""
def asanyarray(a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None) -> Any:
    """Same as asarray."""
def asarray(a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None) -> Any:
    """Tensor of an array, numbers or nested lists, of tensors as well; copied if `copy`, never if it is
    False.
    """
def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """Tensor without NaN and infinities: ValueError if there are any."""
def ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    """Tensor with contiguous memory."""
def asfortranarray(a: Any, dtype: Any = None) -> Any:
    """Tensor of the data; all tensors are made in C order."""
def asin(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse sine."""
def asinh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse hyperbolic sine."""
def astype(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Any:
    """Converted to a dtype."""
def atan(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse tangent."""
def atan2(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Angle of the point (y, x)."""
def atanh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Inverse hyperbolic tangent."""
def atleast_1d(*arys: Any) -> Any:
    """Arrays with at least one axis."""
def atleast_2d(*arys: Any) -> Any:
    """Arrays with at least two axes; a vector is a row."""
def atleast_3d(*arys: Any) -> Any:
    """Arrays with at least three axes: a vector is [1, n, 1], a matrix [m, n, 1]."""
def average(a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = False) -> Any:
    """Weighted mean of all elements or over axes; with the sum of the weights if `returned`."""
def bartlett(M: Any) -> Any:
    """Triangular window of M points."""
bfloat16: Any
def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Any:
    """Number of occurrences of each integer of a vector, or sums of weights (f64)."""
def bitwise_and(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Bitwise and."""
def bitwise_count(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Number of bits of |x| that are 1."""
def bitwise_invert(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Bitwise not."""
def bitwise_left_shift(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x shifted left by y bits."""
def bitwise_not(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Bitwise not."""
def bitwise_or(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Bitwise or."""
def bitwise_right_shift(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x shifted right by y bits."""
def bitwise_xor(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Bitwise exclusive or."""
def blackman(M: Any) -> Any:
    """Blackman window of M points."""
def block(arrays: Any) -> Any:
    """Matrix of nested lists of blocks: inner lists are joined along the last axis, outer ones along
    those before.
    """
bool: Any
bool_: Any
def broadcast_arrays(*args: Any, subok: Any = False) -> Any:
    """Views of the arrays broadcast to their common shape, as a tuple."""
def broadcast_shapes(*args: Any) -> Any:
    """The shape to which arrays of these shapes broadcast."""
def broadcast_to(array: Any, shape: Any, subok: Any = False) -> Any:
    """View broadcast to a shape."""
byte: Any
c_: Any
def can_cast(from_: Any, to: Any, casting: Any = 'safe') -> Any:
    """Whether a conversion is allowed: without loss ("safe"), within a kind ("same_kind"), always
    ("unsafe"), never ("no").
    """
def cbrt(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Cube root."""
def ceil(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Smallest integer >= x."""
def choose(a: Any, choices: Any, out: Any = None, mode: Any = 'raise') -> Any:
    """Elements of the arrays that the indices choose."""
def clip(a: Any, min: Any = None, max: Any = None, out: Any = None, *, a_min: Any = None, a_max: Any = None) -> Any:
    """a limited to the range from min to max (also a_min and a_max); a bound that is None does not
    apply.
    """
def column_stack(tup: Any) -> Any:
    """Joined along axis 1; vectors are columns."""
def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    """Slices along an axis where condition is true, of the flattened array without one."""
def concat(arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None) -> Any:
    """Same as concatenate."""
def concatenate(arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None) -> Any:
    """Joined along an axis; flattened first for axis=None."""
def conj(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x itself, since there are no complex dtypes."""
def conjugate(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x itself, since there are no complex dtypes."""
def convolve(a: Any, v: Any, mode: Any = 'full') -> Any:
    """Discrete convolution of two vectors: "full", "same" or "valid"."""
def copy(a: Any, order: Any = 'K', subok: Any = False) -> Any:
    """Copy."""
def copysign(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Magnitude of x with the sign of y."""
def copyto(dst: Any, src: Any, casting: Any = 'same_kind', where: Any = True) -> Any:
    """Writes src into dst, which is broadcast; only where a mask is true."""
def corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    """Correlation matrix of variables, the rows (the columns unless `rowvar`)."""
def correlate(a: Any, v: Any, mode: Any = 'valid') -> Any:
    """Cross-correlation of two vectors: "full", "same" or "valid"."""
def cos(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Cosine."""
def cosh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Hyperbolic cosine."""
def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Number of nonzero elements, in all or over axes."""
def cov(m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None, fweights: Any = None, aweights: Any = None) -> Any:
    """Covariance matrix of variables, the rows (the columns unless `rowvar`)."""
def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    """Cross products of 3-d vectors along an axis."""
def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Cumulative product along an axis, of the flattened array without one."""
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Cumulative sum along an axis, of the flattened array without one."""
def cumulative_prod(x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False) -> Any:
    """Cumulative product along an axis, from 1 if `include_initial`."""
def cumulative_sum(x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False) -> Any:
    """Cumulative sum along an axis, from 0 if `include_initial`."""
def deg2rad(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Degrees to radians."""
def degrees(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Radians to degrees."""
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    """Without the slices at indices along an axis, of the flattened array without one."""
def diag(v: Any, k: Any = 0) -> Any:
    """k-th diagonal of a matrix, or the matrix with a vector on it."""
def diag_indices(n: Any, ndim: Any = 2) -> Any:
    """Indices of the diagonal of an array with ndim axes of size n."""
def diag_indices_from(arr: Any) -> Any:
    """Indices of the diagonal of an array."""
def diagflat(v: Any, k: Any = 0) -> Any:
    """Matrix with the flattened array on its k-th diagonal."""
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """Diagonals over two axes."""
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    """n-th difference along an axis."""
def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    """Index of the bin between ascending or descending edges that each value falls into."""
def divide(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x / y."""
def divmod(x1: Any, x2: Any, /) -> Any:
    """Floor division and remainder."""
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Product of numbers, vectors and matrices; of more axes the sum over the last of a and the second
    to last of b.
    """
double: Any
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Equal parts along axis 2, or between indices."""
def dstack(tup: Any) -> Any:
    """Joined along axis 2; vectors are [1, n, 1], matrices [m, n, 1]."""
def dtype(name: Any) -> Any:
    """gyre's dtype for a dtype, a Python type or a name, in NumPy's meaning: "i8" is int64."""
e: Any
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of consecutive elements of the flattened array, with numbers before and after."""
def einsum(*operands: Any, out: Any = None, dtype: Any = None, optimize: Any = True) -> Any:
    """Sum of products by Einstein's convention: einsum("ij,jk->ik", a, b), or einsum(a, [0, 1], b, [1,
    2], [0, 2]).
    """
def empty(shape: Any, dtype: Any = None, order: Any = 'C', *, device: Any = None) -> Any:
    """Uninitialised tensor of a shape."""
def empty_like(a: Any, dtype: Any = None, order: Any = 'K', subok: Any = True, shape: Any = None, *, device: Any = None) -> Any:
    """empty of the shape and dtype of an array."""
def equal(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x == y."""
class errstate:
    """Context manager and decorator that sets what happens on floating-point events; see seterr."""
    def __init__(self, **events: Any) -> None: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *error: Any) -> None: ...
    def __call__(self, function: Any) -> Any: ...
euler_gamma: Any
def exp(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Exponential."""
def exp2(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """2 ** x."""
def expand_dims(a: Any, axis: Any) -> Any:
    """New axes of size 1 at these positions of the result."""
def expm1(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """exp(x) - 1, accurate near 0."""
def extract(condition: Any, arr: Any) -> Any:
    """Elements where condition is true."""
def eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = None, order: Any = 'C', *, device: Any = None) -> Any:
    """Matrix with ones on the k-th diagonal."""
def fabs(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Absolute value, as a float."""
from gyre.numpy import fft as fft
def fill_diagonal(a: Any, val: Any) -> Any:
    """Writes a number to the diagonal of a matrix, in place."""
def finfo(dtype: Any) -> Any:
    """Properties of a floating dtype, or of that of an array: bits, eps, max, min, smallest_normal, ...
    """
def fix(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x without its fractional part."""
def flatnonzero(a: Any) -> Any:
    """Indices of the nonzero elements of the flattened array."""
def flip(m: Any, axis: Any = None) -> Any:
    """Reversed along axes, all by default."""
def fliplr(m: Any) -> Any:
    """Axis 1 reversed."""
def flipud(m: Any) -> Any:
    """Axis 0 reversed."""
float16: Any
float32: Any
float64: Any
def float_power(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x ** y in f64."""
class floating:
    """Floating dtypes."""
def floor(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Largest integer <= x."""
def floor_divide(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Largest integer <= x / y."""
def fmax(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Larger of x and y that is not NaN."""
def fmin(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Smaller of x and y that is not NaN."""
def fmod(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Remainder of x / y with the sign of x."""
def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> Any:
    """Tensor that shares the memory of an array of another library."""
def frombuffer(buffer: Any, dtype: Any = ..., count: Any = -1, offset: Any = 0) -> Any:
    """Tensor of the bytes of a buffer."""
def fromfile(file: Any, dtype: Any = ..., count: Any = -1, sep: Any = '', offset: Any = 0) -> Any:
    """Vector of the elements in a binary file, or of the numbers in a text file with a separator."""
def fromfunction(function: Any, shape: Any, *, dtype: Any = ..., **kwargs: Any) -> Any:
    """The function of the coordinates of a grid, a tensor for each axis."""
def fromiter(iter: Any, dtype: Any, count: Any = -1) -> Any:
    """Vector of the numbers of an iterable: all, or the first `count`."""
def fromstring(string: Any, dtype: Any = ..., count: Any = -1, *, sep: Any) -> Any:
    """Vector of the numbers in a text with a separator."""
def full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = 'C', *, device: Any = None) -> Any:
    """Tensor of a shape filled with a number, or with an array that broadcasts."""
def full_like(a: Any, fill_value: Any, dtype: Any = None, order: Any = 'K', subok: Any = True, shape: Any = None, *, device: Any = None) -> Any:
    """Tensor of the shape and dtype of an array filled with a number."""
def gcd(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Greatest common divisor."""
class generic:
    """All dtypes."""
def genfromtxt(fname: Any, dtype: Any = ..., comments: Any = '#', delimiter: Any = None, skip_header: Any = 0, skip_footer: Any = 0, filling_values: Any = None, usecols: Any = None, unpack: Any = False, max_rows: Any = None, encoding: Any = None, *, ndmin: Any = 0) -> Any:
    """Same as loadtxt, with `filling_values`, NaN by default, for fields that are empty or no numbers.
    """
def geomspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0) -> Any:
    """num numbers from start to stop with equal ratios."""
def geterr() -> Any:
    """What happens on each floating-point event: it is ignored."""
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """Derivatives along each axis by differences, of second order inside and of edge_order (1 or 2) at
    the ends; spacings are numbers, or vectors of coordinates. A tensor for one axis, else a tuple.
    """
def greater(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x > y."""
def greater_equal(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x >= y."""
half: Any
def hamming(M: Any) -> Any:
    """Hamming window of M points."""
def hanning(M: Any) -> Any:
    """Hann window of M points."""
def heaviside(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """0 for negative x, 1 for positive x, y at 0."""
def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """Counts in bins and their edges: a number of bins of equal width over `range` (by default that of
    the data), that of a rule such as "auto", or ascending edges; the last bin is closed. Counts are
    i64, with `density` or inexact weights f64.
    """
def histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """Counts (f64) of the points (x, y) in the bins of a grid, and the edges along x and y; edges for
    both, or a list [of x, of y].
    """
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Edges of the bins of histogram."""
def histogramdd(sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """Counts (f64) of points, the rows, in the bins of a grid, and the edges of each axis: a number of
    bins, or edges, for all axes or a list with one for each.
    """
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Equal parts along axis 1 (0 of a vector), or between indices."""
def hstack(tup: Any) -> Any:
    """Joined along axis 1, vectors along axis 0."""
def hypot(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """sqrt(x^2 + y^2) without overflow of the squares."""
def i0(x: Any) -> Any:
    """Modified Bessel function of the first kind and order 0, by its power series, whose terms are all
    positive.
    """
def identity(n: Any, dtype: Any = None) -> Any:
    """Identity matrix."""
def iinfo(type: Any) -> Any:
    """Properties of an integer dtype, or of that of an array: bits, max, min."""
def imag(val: Any) -> Any:
    """Zeros, since there are no complex dtypes."""
index_exp: Any
def indices(dimensions: Any, dtype: Any = ..., sparse: Any = False) -> Any:
    """Indices of the elements of a grid [axes, n0, n1, ...]."""
class inexact:
    """Floating dtypes."""
inf: Any
def inner(a: Any, b: Any, /) -> Any:
    """Sum of products over the last axes."""
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """Values inserted before an index along an axis, of the flattened array without one; for several
    indices a value, or a slice along the axis, before each.
    """
int16: Any
int32: Any
int64: Any
int8: Any
int_: Any
intc: Any
class integer:
    """Integer dtypes."""
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Piecewise linear interpolation of the points (xp, fp) with ascending xp; fp[0] or `left` before
    them, fp[-1] or `right` after. With a period xp may be in any order, and the points repeat.
    """
def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    """Sorted unique values that are in both arrays, on request with their first indices in each."""
intp: Any
def invert(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Bitwise not."""
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether |a - b| <= atol + rtol |b|, elementwise."""
def iscomplex(x: Any) -> Any:
    """False everywhere, since there are no complex dtypes."""
def iscomplexobj(x: Any) -> Any:
    """False: there are no complex dtypes."""
def isdtype(dtype: Any, kind: Any) -> Any:
    """Whether a dtype is of a kind: "bool", "signed integer", "unsigned integer", "integral", "real
    floating", "complex floating", "numeric", another dtype, or one of a tuple of these.
    """
def isfinite(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether x is neither infinite nor NaN."""
def isin(element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False) -> Any:
    """Whether each element is one of the test elements."""
def isinf(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether x is infinite."""
def isnan(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether x is NaN."""
def isneginf(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether x is -infinity."""
def isposinf(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether x is infinity."""
def isreal(x: Any) -> Any:
    """True everywhere, since there are no complex dtypes."""
def isrealobj(x: Any) -> Any:
    """True: there are no complex dtypes."""
def isscalar(element: Any) -> Any:
    """Whether the element is a number, a text, or a tensor without axes."""
def issubdtype(arg1: Any, arg2: Any) -> Any:
    """Whether a dtype is another, or of a kind: floating, integer, signedinteger, unsignedinteger,
    number, generic.
    """
def iterable(y: Any) -> Any:
    """Whether iter(y) works."""
def ix_(*args: Any) -> Any:
    """Index grids that select all combinations of vectors of indices."""
def kaiser(M: Any, beta: Any) -> Any:
    """Kaiser window of M points."""
def kron(a: Any, b: Any) -> Any:
    """Kronecker product."""
def lcm(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Least common multiple."""
def ldexp(x1: Any, x2: Any, /) -> Any:
    """x 2 ** y."""
def left_shift(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x shifted left by y bits."""
def less(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x < y."""
def less_equal(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x <= y."""
def lexsort(keys: Any, axis: Any = -1) -> Any:
    """Indices that sort by several keys, of which the last is the first criterion."""
from gyre.numpy import lib as lib
from gyre.numpy import linalg as linalg
def linspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False, dtype: Any = None, axis: Any = 0, *, device: Any = None) -> Any:
    """num evenly spaced numbers from start to stop, which is the last if `endpoint`; of arrays, along a
    new axis.
    """
def load(file: Any, mmap_mode: Any = None, allow_pickle: Any = False) -> Any:
    """The array of an .npy file, or the arrays of an .npz file by name: a path or a binary file.
    mmap_mode="r" or "c" maps the memory of an .npy file; writing to the tensor never changes the file.
    """
def loadtxt(fname: Any, dtype: Any = ..., comments: Any = '#', delimiter: Any = None, converters: Any = None, skiprows: Any = 0, usecols: Any = None, unpack: Any = False, ndmin: Any = 0, encoding: Any = None, max_rows: Any = None) -> Any:
    """Array of the numbers in a text file, a row for each line; fields are separated by spaces or
    `delimiter`. `converters`: a function from text to number, or a dict of those by column.
    """
def log(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Natural logarithm."""
def log10(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Logarithm to base 10."""
def log1p(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """log(1 + x), accurate near 0."""
def log2(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Logarithm to base 2."""
def logaddexp(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """log(exp(x) + exp(y))."""
def logaddexp2(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """log2(2 ** x + 2 ** y)."""
def logical_and(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether both are nonzero."""
def logical_not(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether x is 0."""
def logical_or(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether one is nonzero."""
def logical_xor(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether exactly one is nonzero."""
def logspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0, dtype: Any = None, axis: Any = 0) -> Any:
    """num numbers base ** x for evenly spaced x from start to stop."""
long: Any
longlong: Any
def mask_indices(n: Any, mask_func: Any, k: Any = 0) -> Any:
    """Indices of the nonzero elements of mask_func(ones((n, n)), k), for example of triu."""
def matmul(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
    """Matrix product over the last two axes; vectors are rows or columns."""
def matrix_transpose(x: Any, /) -> Any:
    """Last two axes swapped."""
def matvec(x1: Any, x2: Any, /) -> Any:
    """Products of matrices and vectors."""
def max(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    """Maximum of all elements or over axes; NaN if one is NaN."""
def maximum(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Larger of x and y; NaN if one is NaN."""
def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True) -> Any:
    """Mean of all elements or over axes."""
def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> Any:
    """Median, the mean of the two middle elements of an even number; NaN if one is NaN."""
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = 'xy') -> Any:
    """Coordinate grids of vectors, [n1, n0, ...] for indexing="xy" and [n0, n1, ...] for "ij"; a size
    of 1 in all axes but one if `sparse`.
    """
mgrid: Any
def min(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    """Minimum of all elements or over axes; NaN if one is NaN."""
def minimum(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Smaller of x and y; NaN if one is NaN."""
def mod(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x mod y, with the sign of y."""
def modf(x: Any, /) -> Any:
    """Fractional and integral parts, with the sign of x."""
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Moves axes to other positions; the others keep their order."""
def multiply(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x y."""
nan: Any
def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with NaN and infinities replaced by numbers, infinities by the largest numbers of the dtype by
    default.
    """
def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first maximum of the elements that are not NaN."""
def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """Index of the first minimum of the elements that are not NaN."""
def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Cumulative product with NaN as 1."""
def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Cumulative sum with NaN as 0."""
def nanmax(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Maximum of the elements that are not NaN."""
def nanmean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Mean of the elements that are not NaN."""
def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> Any:
    """Median of the elements that are not NaN."""
def nanmin(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Minimum of the elements that are not NaN."""
def nanpercentile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, method: Any = 'linear', keepdims: Any = False) -> Any:
    """Percentiles of the elements that are not NaN."""
def nanprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Product of the elements that are not NaN."""
def nanquantile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, method: Any = 'linear', keepdims: Any = False) -> Any:
    """Quantiles of the elements that are not NaN; NaN where there are none."""
def nanstd(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """Standard deviation of the elements that are not NaN."""
def nansum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Sum of the elements that are not NaN."""
def nanvar(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """Variance of the elements that are not NaN."""
ndarray = Tensor
def ndenumerate(arr: Any) -> Any:
    """Iterator over the indices and elements of an array."""
def ndim(a: Any) -> Any:
    """Number of axes."""
def ndindex(*shape: Any) -> Any:
    """Iterator over the indices of the elements of a shape, as tuples."""
def negative(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """-x."""
newaxis: Any
def nextafter(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """The next number after x towards y."""
def nonzero(a: Any) -> Any:
    """Indices of the nonzero elements, a vector for each axis."""
def not_equal(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x != y."""
class number:
    """Dtypes of numbers."""
ogrid: Any
def ones(shape: Any, dtype: Any = None, order: Any = 'C', *, device: Any = None) -> Any:
    """Ones of a shape."""
def ones_like(a: Any, dtype: Any = None, order: Any = 'K', subok: Any = True, shape: Any = None, *, device: Any = None) -> Any:
    """ones of the shape and dtype of an array."""
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """Products of all pairs of elements of the flattened arrays."""
def pad(array: Any, pad_width: Any, mode: Any = 'constant', *, constant_values: Any = 0, end_values: Any = 0, stat_length: Any = None) -> Any:
    """Padded at both ends of axes: modes constant, edge (the last element), reflect (without it),
    symmetric, wrap, linear_ramp (to end_values), maximum, minimum, mean and median (of the stat_length
    elements next to the edge, by default all), empty.
    """
def partition(a: Any, kth: Any, axis: Any = -1) -> Any:
    """Sorted along an axis, so that the elements around kth are in their final places."""
def percentile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, method: Any = 'linear', keepdims: Any = False) -> Any:
    """Percentiles of all elements or over axes."""
def permute_dims(a: Any, axes: Any = None) -> Any:
    """Axes in another order, reversed by default."""
pi: Any
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """For each element the function, or number, of the last condition that is true; one more is the
    default, else 0. The result has the dtype of x.
    """
def place(arr: Any, mask: Any, vals: Any) -> Any:
    """Writes values where a mask is true, in place, one after the other; fewer values are repeated."""
def poly(seq_of_zeros: Any) -> Any:
    """Coefficients of the polynomial with these zeros."""
class poly1d:
    """Polynomial with coefficients `coeffs`, the highest power first: p(x), p + q, p - q, p * q,
    p[power].
    """
    def __init__(self, c_or_r: Any, r: Any = False) -> None: ...
    @property
    def c(self) -> Any: ...
    @property
    def coef(self) -> Any: ...
    @property
    def coefficients(self) -> Any: ...
    @property
    def order(self) -> Any: ...
    @property
    def o(self) -> Any: ...
    def __call__(self, x: Any) -> Any: ...
    def __getitem__(self, power: Any) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> collections.abc.Iterator[Any]: ...
    def deriv(self, m: Any = 1) -> Any:
        """m-th derivative."""
    def integ(self, m: Any = 1, k: Any = 0) -> Any:
        """m-th antiderivative."""
def polyadd(a1: Any, a2: Any) -> Any:
    """Sum of polynomials."""
def polyder(p: Any, m: Any = 1) -> Any:
    """m-th derivative of a polynomial."""
def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, *, w: Any = None) -> Any:
    """Coefficients of the polynomial of a degree with the least squared distance from y, weighted by w,
    at x; for a matrix y, of each column.
    """
def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    """m-th antiderivative of a polynomial, with constants k, 0 by default."""
def polymul(a1: Any, a2: Any) -> Any:
    """Product of polynomials."""
def polysub(a1: Any, a2: Any) -> Any:
    """Difference of polynomials."""
def polyval(p: Any, x: Any) -> Any:
    """Polynomial with coefficients p, the highest power first, at x; of a polynomial x the composition.
    """
def positive(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """+x."""
def pow(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x ** y."""
def power(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x ** y."""
def prod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    """Product of all elements or over axes; of integers i64, of unsigned ones u64."""
def promote_types(type1: Any, type2: Any) -> Any:
    """The smallest dtype to which both convert without loss."""
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    """Maximum minus minimum."""
def put(a: Any, ind: Any, v: Any, mode: Any = 'raise') -> Any:
    """Writes values at indices into the flattened array, in place; fewer values are repeated."""
def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> Any:
    """Writes values at indices along an axis, in place."""
def putmask(a: Any, mask: Any, values: Any) -> Any:
    """Writes values where a mask is true, in place; fewer values than elements of the array are
    repeated.
    """
def quantile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, method: Any = 'linear', keepdims: Any = False) -> Any:
    """Quantiles of all elements or over axes; for an array of q along new first axes."""
r_: Any
def rad2deg(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Radians to degrees."""
def radians(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Degrees to radians."""
from gyre.numpy import random as random
def ravel(a: Any, order: Any = 'C') -> Any:
    """Flattened to one axis, with the first index changing fastest for order="F"."""
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = 'raise') -> Any:
    """Indices into the flattened array of a tuple of indices along each axis."""
def real(val: Any) -> Any:
    """x itself, since there are no complex dtypes."""
def reciprocal(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """1 / x."""
def remainder(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x mod y, with the sign of y."""
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element of the flattened array, or each slice along an axis, repeated consecutively."""
def require(a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    """Tensor with contiguous memory."""
def reshape(a: Any, /, shape: Any, order: Any = 'C', *, copy: Any = None) -> Any:
    """The same elements with another shape, of which one size may be -1; read and written with the
    first index changing fastest for order="F".
    """
def resize(a: Any, new_shape: Any) -> Any:
    """The elements repeated to fill a new shape."""
def result_type(*arrays_and_dtypes: Any) -> Any:
    """Dtype of the result of an operation on these arrays, dtypes and numbers; Python numbers take the
    dtype of the others.
    """
def right_shift(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x shifted right by y bits."""
def rint(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Nearest integer, ties to even."""
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Circular shift along axes; of the flattened array without them."""
def rollaxis(a: Any, axis: Any, start: Any = 0) -> Any:
    """Moves an axis before another."""
def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """The plane of two axes rotated by 90 degrees k times, from the first towards the second."""
def round(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """a rounded to decimals, ties to even."""
def row_stack(tup: Any) -> Any:
    """Same as vstack."""
s_: Any
def save(file: Any, arr: Any) -> Any:
    """Saves an array to a file in NumPy's format; a path gets the suffix .npy."""
def savetxt(fname: Any, X: Any, fmt: Any = '%.18e', delimiter: Any = ' ', newline: Any = '\n', header: Any = '', footer: Any = '', comments: Any = '# ', encoding: Any = None) -> Any:
    """Writes a vector or a matrix as text, a line for each row; fmt is a format of Python's % or one
    for each column.
    """
def savez(file: Any, *args: Any, **kwds: Any) -> Any:
    """Saves arrays to one file by their keywords, or as arr_0, arr_1, ...; a path gets the suffix .npz.
    """
def savez_compressed(file: Any, *args: Any, **kwds: Any) -> Any:
    """Same as savez, compressed."""
def searchsorted(a: Any, v: Any, side: Any = 'left', sorter: Any = None) -> Any:
    """Indices at which values would be inserted to keep the vector sorted, before equal ones or after
    (side="right").
    """
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """For each element the choice of the first condition that is true, else the default."""
def set_printoptions(precision: Any = None, threshold: Any = None, edgeitems: Any = None, linewidth: Any = None, suppress: Any = None, **options: Any) -> Any:
    """Has no effect: tensors are printed with as many digits as their dtype has."""
def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> Any:
    """Sorted unique values of the first array that are not in the second."""
def seterr(all: Any = None, divide: Any = None, over: Any = None, under: Any = None, invalid: Any = None) -> Any:
    """Floating-point events such as a division by 0 give infinities and NaN without a warning: only
    "ignore" can be set. Returns the setting before.
    """
def setxor1d(ar1: Any, ar2: Any) -> Any:
    """Sorted unique values that are in exactly one array."""
def shape(a: Any) -> Any:
    """Sizes of the axes."""
def shares_memory(a: Any, b: Any) -> Any:
    """Whether an element of one tensor lies in the memory of the other."""
short: Any
def sign(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Sign: -1, 0 or 1, and NaN for NaN."""
def signbit(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Whether the sign is negative, of -0 as well."""
class signedinteger:
    """Signed integer dtypes."""
def sin(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Sine."""
def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), and 1 at 0."""
single: Any
def sinh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Hyperbolic sine."""
def size(a: Any, axis: Any = None) -> Any:
    """Number of elements, in all or along an axis."""
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: Any = False) -> Any:
    """Sorted along an axis, flattened for axis=None; always stable."""
def spacing(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Distance to the next number away from 0."""
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Parts along an axis, a list of views: that many of equal size, or between indices."""
def sqrt(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Square root."""
def square(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x squared."""
def squeeze(a: Any, axis: Any = None) -> Any:
    """Without axes of size 1: all, or these, which must have it."""
def stack(arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None) -> Any:
    """Joined along a new axis."""
def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, *, where: Any = True, correction: Any = None) -> Any:
    """Standard deviation, divided by n - ddof; ddof is 0 by default."""
def subtract(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x - y."""
def sum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, initial: Any = None, where: Any = True) -> Any:
    """Sum of all elements or over axes; of integers i64, of unsigned ones u64."""
def swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes swapped."""
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = 'raise') -> Any:
    """Elements at indices along an axis, of the flattened array without one."""
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    """Elements at indices along an axis, of the flattened array for axis=None; the other axes
    broadcast.
    """
def tan(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Tangent."""
def tanh(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """Hyperbolic tangent."""
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sum of products over pairs of axes: the last `axes` axes of a and the first of b, or lists of
    both.
    """
from gyre.numpy import testing as testing
def tile(A: Any, reps: Any) -> Any:
    """The array repeated along each axis."""
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> Any:
    """Sums of the diagonals over two axes; of integers i64, of unsigned ones u64."""
def transpose(a: Any, axes: Any = None) -> Any:
    """Axes in another order, reversed by default."""
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """Integral along an axis by the trapezoidal rule, at points x or with a spacing dx."""
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = ...) -> Any:
    """Matrix with ones at and below the k-th diagonal and zeros elsewhere."""
def tril(m: Any, k: Any = 0) -> Any:
    """Elements at and below the k-th diagonal of matrices, zeros elsewhere."""
def tril_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    """Indices of the elements of an n x m matrix at and below a diagonal, one vector for each axis."""
def tril_indices_from(arr: Any, k: Any = 0) -> Any:
    """Indices of the elements of a matrix at and below a diagonal."""
def trim_zeros(filt: Any, trim: Any = 'fb') -> Any:
    """A vector without the zeros at its ends: "f" the front, "b" the back."""
def triu(m: Any, k: Any = 0) -> Any:
    """Elements at and above the k-th diagonal of matrices, zeros elsewhere."""
def triu_indices(n: Any, k: Any = 0, m: Any = None) -> Any:
    """Indices of the elements of an n x m matrix at and above a diagonal, one vector for each axis."""
def triu_indices_from(arr: Any, k: Any = 0) -> Any:
    """Indices of the elements of a matrix at and above a diagonal."""
def true_divide(x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x / y."""
def trunc(x: Any, /, out: Any = None, *, where: Any = True, dtype: Any = None) -> Any:
    """x without its fractional part."""
ubyte: Any
uint: Any
uint16: Any
uint32: Any
uint64: Any
uint8: Any
uintc: Any
uintp: Any
ulong: Any
ulonglong: Any
def union1d(ar1: Any, ar2: Any) -> Any:
    """Sorted unique values of both arrays."""
def unique(ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False, axis: Any = None, *, equal_nan: Any = True, sorted: Any = True) -> Any:
    """Sorted unique values, on request with first indices, the index of each element in them and
    counts; along an axis: unique slices.
    """
def unique_all(x: Any, /) -> Any:
    """Unique values, first indices, the index of each element in them, counts; each NaN is a value."""
def unique_counts(x: Any, /) -> Any:
    """Unique values and their counts; each NaN is one."""
def unique_inverse(x: Any, /) -> Any:
    """Unique values and the index of each element in them; each NaN is one."""
def unique_values(x: Any, /) -> Any:
    """Unique values; each NaN is one."""
def unravel_index(indices: Any, shape: Any) -> Any:
    """Index along each axis of indices into the flattened array, as a tuple."""
class unsignedinteger:
    """Unsigned integer dtypes."""
def unstack(x: Any, /, *, axis: Any = 0) -> Any:
    """Slices along an axis, as a tuple of views without it."""
def unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 6.283185307179586) -> Any:
    """Angles with multiples of the period added so that neighbours along an axis differ by at most half
    of it; jumps up to `discont` stay.
    """
ushort: Any
def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    """Vandermonde matrix: powers of x along a new last axis, descending unless `increasing`."""
def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = False, *, where: Any = True, correction: Any = None) -> Any:
    """Variance, divided by n - ddof; ddof is 0 by default."""
def vdot(a: Any, b: Any, /) -> Any:
    """Dot product of the flattened arrays."""
def vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    """Dot products of vectors along an axis."""
def vecmat(x1: Any, x2: Any, /) -> Any:
    """Products of vectors and matrices."""
class vectorize:
    """Function that calls a Python function with the numbers of each element of arrays, which
    broadcast. Results have the dtypes `otypes`, by default those of the numbers that the function
    returns.
    """
    def __init__(self, pyfunc: Any, otypes: Any = None, doc: Any = None) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Equal parts along axis 0, or between indices."""
def vstack(tup: Any) -> Any:
    """Joined along axis 0; vectors are rows."""
def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """Elements of x where condition is true, else of y; given only a condition, the indices of its true
    elements.
    """
def zeros(shape: Any, dtype: Any = None, order: Any = 'C', *, device: Any = None) -> Any:
    """Zeros of a shape."""
def zeros_like(a: Any, dtype: Any = None, order: Any = 'K', subok: Any = True, shape: Any = None, *, device: Any = None) -> Any:
    """zeros of the shape and dtype of an array."""
