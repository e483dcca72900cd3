# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Error(builtins.Exception):
    code: builtins.str
    op: builtins.str
    expected: builtins.str
    actual: builtins.str
class ShapeError(Error, builtins.ValueError): ...
class DTypeError(Error, builtins.TypeError): ...
class DeviceError(Error, builtins.ValueError): ...
class IndexError(Error, builtins.IndexError): ...
class ValueError(Error, builtins.ValueError): ...
class UnsupportedError(Error, builtins.NotImplementedError): ...
class UnavailableError(Error, builtins.RuntimeError): ...
class IOError(Error, builtins.OSError): ...
class ParseError(Error, builtins.ValueError): ...
class NumericError(Error, builtins.ArithmeticError): ...
class ResourceError(Error, builtins.MemoryError): ...
class InternalError(Error, builtins.RuntimeError): ...
class DType(enum.Enum):
    f16 = 0
    bf16 = 1
    f32 = 2
    f64 = 3
    i8 = 4
    i16 = 5
    i32 = 6
    i64 = 7
    u8 = 8
    u16 = 9
    u32 = 10
    u64 = 11
    boolean = 12
f16: DType
bf16: DType
f32: DType
f64: DType
i8: DType
i16: DType
i32: DType
i64: DType
u8: DType
u16: DType
u32: DType
u64: DType
boolean: DType
float16: DType
half: DType
bfloat16: DType
float32: DType
float: DType
float64: DType
double: DType
int8: DType
char: DType
int16: DType
short: DType
int32: DType
int: DType
int64: DType
long: DType
uint8: DType
byte: DType
uint16: DType
uint32: DType
uint64: DType
bool: DType
class device:
    """A device: device("cpu"), device("cuda:0"), or device("best") for an accelerator if there is one. Equal to its full name. In a `with` statement it is the default device, of the whole process."""
    def __init__(self, name: builtins.str | device) -> None: ...
    @property
    def type(self) -> builtins.str:
        """kind of device, cpu or cuda"""
    @property
    def index(self) -> builtins.int:
        """number among the devices of its type"""
    def __str__(self) -> builtins.str: ...
    def __repr__(self) -> builtins.str: ...
    def __eq__(self, other: builtins.object, /) -> builtins.bool: ...
    def __hash__(self) -> builtins.int: ...
    def __reduce__(self) -> typing.Any: ...
    def __enter__(self) -> device: ...
    def __exit__(self, *exception: typing.Any) -> None: ...
def devices() -> builtins.list[device]:
    """Devices that can be used; the first is the CPU."""
def get_default_device() -> device:
    """Device of new tensors and layers; at first GYRE_DEVICE, or the CPU."""
def set_default_device(device: builtins.str | device) -> None:
    """Sets the device of new tensors and layers, of the whole process."""
class Size(builtins.tuple[builtins.int, ...]):
    """Sizes of the axes of a tensor: a tuple of ints."""
    def numel(self) -> Any:
        """The product of the sizes: a number of elements."""
class HookHandle:
    """A registered hook."""
    def remove(self) -> None:
        """Removes the hook."""
class Tensor:
    """A strided n-dimensional array with automatic differentiation."""
    def __init__(self, *data: typing.Any, dtype: DTypeLike | None = None, device: typing.Any = None, requires_grad: builtins.bool = False) -> None:
        """A copy of an array or nested lists of numbers, as f32; for whole numbers, zeros of these sizes.
        tensor() keeps the dtype of the data.
        """
    def item(self, *index: Any) -> Any:
        """The single element as a Python number; given an index, item(2, 0), or a place among all in order,
        item(5), that element.
        """
    def __hash__(self) -> builtins.int: ...
    @property
    def shape(self) -> Size:
        """sizes of the axes"""
    @property
    def strides(self) -> builtins.tuple[builtins.int, ...]:
        """strides of the axes in elements"""
    @property
    def dtype(self) -> DType:
        """data type of the elements"""
    @property
    def device(self) -> device:
        """device that holds the elements"""
    @property
    def ndim(self) -> builtins.int:
        """number of axes"""
    @property
    def size(self) -> Any:
        """number of elements; called, the shape, x.size(), or the size of an axis, x.size(0)"""
    @property
    def itemsize(self) -> builtins.int:
        """bytes per element"""
    @property
    def nbytes(self) -> builtins.int:
        """total bytes of the elements; of packed weights, of words and headers"""
    @property
    def T(self) -> Tensor:
        """the tensor with its axes reversed"""
    @property
    def mT(self) -> Tensor:
        """the tensor with its last two axes swapped (matrix transpose)"""
    @property
    def is_leaf(self) -> builtins.bool:
        """whether the tensor is a leaf: not the result of a recorded op"""
    @property
    def requires_grad(self) -> builtins.bool:
        """whether autograd records ops on the tensor; can be set on leaves"""
    @requires_grad.setter
    def requires_grad(self, arg: builtins.bool, /) -> None:
        """whether autograd records ops on the tensor; can be set on leaves"""
    @property
    def grad(self) -> Tensor | None:
        """gradient accumulated by backward(), or None"""
    @grad.setter
    def grad(self, value: TensorLike | None, /) -> None:
        """gradient accumulated by backward(), or None"""
    def backward(self, gradient: TensorLike | None = None, retain_graph: builtins.bool = False, create_graph: builtins.bool = False) -> None:
        """Backpropagation: accumulates the gradient of this tensor (times `gradient`; 1 for a single
        element) into the grad of the leaves.
        """
    def requires_grad_(self, requires_grad: builtins.bool = True) -> Tensor:
        """Sets requires_grad and returns the tensor itself."""
    def zero_grad(self) -> None:
        """Sets the gradient to None."""
    def detach(self) -> Tensor:
        """A tensor that shares the memory, detached from the autograd graph."""
    def register_hook(self, hook: collections.abc.Callable[[Tensor], Tensor | None]) -> HookHandle:
        """Calls hook(gradient) in every backward pass; a return value other than None replaces the
        gradient.
        """
    @property
    def grad_fn(self) -> GraphNode | None:
        """the recorded call that the tensor is a result of; None for a leaf"""
    def register_post_accumulate_grad_hook(self, hook: collections.abc.Callable[[Tensor], None]) -> HookHandle:
        """Calls hook(tensor) in every backward pass after the gradient of this leaf was accumulated."""
    def __dlpack__(self, *, stream: typing.Any = None, max_version: builtins.tuple[builtins.int, builtins.int] | None = None, dl_device: builtins.tuple[builtins.int, builtins.int] | None = None, copy: builtins.bool | None = None) -> typing.Any: ...
    def __dlpack_device__(self) -> builtins.tuple[builtins.int, builtins.int]: ...
    def numpy(self) -> typing.Any:
        """NumPy array that shares the memory."""
    def __array__(self, dtype: typing.Any = None, copy: builtins.bool | None = None) -> typing.Any:
        """Called by NumPy if the tensor exports no buffer; raises an error with the reason."""
    def torch(self) -> typing.Any:
        """PyTorch tensor that shares the memory."""
    def data_ptr(self) -> builtins.int:
        """Memory address of the first element."""
    def __contains__(self, value: TensorLike, /) -> builtins.bool: ...
    def __float__(self) -> builtins.float: ...
    def __int__(self) -> builtins.int: ...
    def __index__(self) -> builtins.int: ...
    def __bool__(self) -> builtins.bool: ...
    def tolist(self) -> typing.Any:
        """Nested lists of Python numbers; a number for a 0-d tensor."""
    def __array_ufunc__(self, ufunc: Any, method: Any, *inputs: Any, out: Any = None, **options: Any) -> Any: ...
    def __copy__(self) -> Tensor: ...
    def __deepcopy__(self, memo: builtins.dict[builtins.int, typing.Any]) -> Tensor: ...
    def __reduce__(self) -> builtins.tuple[typing.Any, ...]: ...
    def __repr__(self) -> builtins.str: ...
    def __format__(self, format_spec: Any) -> builtins.str: ...
    def _repr_html_(self) -> builtins.str:
        """HTML representation for notebooks."""
    def numel(self) -> builtins.int:
        """Number of elements; same as `size`."""
    def dim(self) -> builtins.int:
        """Number of axes; same as `ndim`."""
    def stride(self, axis: builtins.int | None = None) -> typing.Any:
        """Stride of an axis in elements; without an axis, a tuple of all strides."""
    def is_contiguous(self) -> builtins.bool:
        """Whether the elements are contiguous in row-major order."""
    def contiguous(self, memory_format: Any = None) -> Tensor:
        """The tensor with its elements in order, a copy if they are not."""
    def view(self, *shape: typing.Any, dtype: DTypeLike | None = None) -> Tensor:
        """A tensor with another shape that shares the memory; ValueError if that needs a copy. With a dtype
        in place of a shape, the same bits as that dtype, without gradient history: the last axis gets
        longer or shorter.
        """
    def flatten(self, start_dim: Any = 0, end_dim: Any = -1, *, order: Any = None) -> Tensor:
        """Merges the axes from start_dim to end_dim into one; all of them in NumPy's order "C", "F", "A" or
        "K".
        """
    def ravel(self, order: Any = 'C') -> Tensor:
        """Flattens to one axis, in NumPy's order "C", "F", "A" or "K"."""
    def copy(self, order: Any = 'C') -> Tensor:
        """Copy; its memory is in C order."""
    def to(self, *args: Any, dtype: Any = None, device: Any = None, non_blocking: Any = False, copy: Any = False, memory_format: Any = None) -> Tensor:
        """Converts to a dtype, moves to a device, or to both of another tensor. Returns the tensor itself
        if nothing changes, unless `copy`. By position the flags follow: to(device, dtype, non_blocking,
        copy).
        """
    def astype(self, dtype: DTypeLike, *, copy: builtins.bool = True) -> Tensor:
        """Converts to a dtype; returns a copy, as in NumPy, unless `copy` is false."""
    def cpu(self) -> Tensor:
        """The tensor itself if it is on the CPU, else a copy there."""
    def is_floating_point(self) -> builtins.bool:
        """Whether the dtype is floating point."""
    def half(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def bfloat16(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def float(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def double(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def char(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def short(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def int(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def long(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def byte(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def bool(self, *, memory_format: Any = None) -> Tensor:
        """Converts to this dtype; returns the tensor itself if it has it already."""
    def copy_(self, values: TensorLike) -> Tensor:
        """Copies values, which are broadcast, into the tensor in place."""
    def fill_(self, value: builtins.float) -> Tensor:
        """Fills the tensor with a number in place."""
    def zero_(self) -> Tensor:
        """Fills the tensor with zeros in place."""
    @property
    def is_packed(self) -> builtins.bool:
        """whether the tensor holds packed weights (gyre.packed)"""
    @property
    def format(self) -> builtins.str | None:
        """format of packed weights; None for other tensors"""
    @property
    def words(self) -> Tensor | None:
        """a copy of the words of packed weights, int64 [n, 2]; None for other tensors"""
    @property
    def headers(self) -> Tensor | None:
        """a copy of the headers of packed weights, int64 [n, 2]; None for other tensors"""
    def decode(self) -> Tensor:
        """Packed weights as a plain f32 tensor, differentiable as the op packed_decode."""
    def add(self, y: TensorLike, *, alpha: Any = 1) -> Tensor:
        """x + y"""
    def add_(self, y: TensorLike, *, alpha: Any = 1) -> Tensor:
        """x + y"""
    def sub(self, y: TensorLike, *, alpha: Any = 1) -> Tensor:
        """x - y"""
    def sub_(self, y: TensorLike, *, alpha: Any = 1) -> Tensor:
        """x - y"""
    def mul(self, y: TensorLike) -> Tensor:
        """x * y"""
    def mul_(self, y: TensorLike) -> Tensor:
        """x * y"""
    def div(self, y: TensorLike, *, rounding_mode: Any = None) -> Tensor:
        """x / y"""
    def div_(self, y: TensorLike, *, rounding_mode: Any = None) -> Tensor:
        """x / y"""
    def pow(self, y: TensorLike) -> Tensor:
        """power: x ** y"""
    def pow_(self, y: TensorLike) -> Tensor:
        """power: x ** y"""
    def maximum(self, y: TensorLike) -> Tensor:
        """elementwise maximum; propagates NaN"""
    def maximum_(self, y: TensorLike) -> Tensor:
        """elementwise maximum; propagates NaN"""
    def minimum(self, y: TensorLike) -> Tensor:
        """elementwise minimum; propagates NaN"""
    def minimum_(self, y: TensorLike) -> Tensor:
        """elementwise minimum; propagates NaN"""
    def atan2(self, x: TensorLike) -> Tensor:
        """angle of the point (x, y) in radians, in [-pi, pi]"""
    def atan2_(self, x: TensorLike) -> Tensor:
        """angle of the point (x, y) in radians, in [-pi, pi]"""
    def logaddexp(self, y: TensorLike) -> Tensor:
        """log(e^x + e^y)"""
    def logaddexp_(self, y: TensorLike) -> Tensor:
        """log(e^x + e^y)"""
    def fmod(self, y: TensorLike) -> Tensor:
        """remainder of truncated division, with the sign of x (C fmod)"""
    def fmod_(self, y: TensorLike) -> Tensor:
        """remainder of truncated division, with the sign of x (C fmod)"""
    def remainder(self, y: TensorLike) -> Tensor:
        """remainder of floor division, with the sign of y (Python %)"""
    def remainder_(self, y: TensorLike) -> Tensor:
        """remainder of floor division, with the sign of y (Python %)"""
    def floor_divide(self, y: TensorLike) -> Tensor:
        """floor division: floor(x / y)"""
    def floor_divide_(self, y: TensorLike) -> Tensor:
        """floor division: floor(x / y)"""
    def eq(self, y: TensorLike) -> Tensor:
        """x == y"""
    def ne(self, y: TensorLike) -> Tensor:
        """x != y"""
    def lt(self, y: TensorLike) -> Tensor:
        """x < y"""
    def le(self, y: TensorLike) -> Tensor:
        """x <= y"""
    def gt(self, y: TensorLike) -> Tensor:
        """x > y"""
    def ge(self, y: TensorLike) -> Tensor:
        """x >= y"""
    def logical_and(self, y: TensorLike) -> Tensor:
        """logical AND"""
    def logical_or(self, y: TensorLike) -> Tensor:
        """logical OR"""
    def logical_xor(self, y: TensorLike) -> Tensor:
        """logical XOR"""
    def logical_not(self) -> Tensor:
        """logical NOT"""
    def isnan(self) -> Tensor:
        """true where x is NaN"""
    def isinf(self) -> Tensor:
        """true where x is infinite"""
    def isfinite(self) -> Tensor:
        """true where x is finite"""
    def bitwise_and(self, y: TensorLike) -> Tensor:
        """bitwise AND"""
    def bitwise_and_(self, y: TensorLike) -> Tensor:
        """bitwise AND"""
    def bitwise_or(self, y: TensorLike) -> Tensor:
        """bitwise OR"""
    def bitwise_or_(self, y: TensorLike) -> Tensor:
        """bitwise OR"""
    def bitwise_xor(self, y: TensorLike) -> Tensor:
        """bitwise XOR"""
    def bitwise_xor_(self, y: TensorLike) -> Tensor:
        """bitwise XOR"""
    def bitwise_not(self) -> Tensor:
        """bitwise NOT; logical NOT for boolean"""
    def isclose(self, y: TensorLike, rtol: SupportsFloat = 1e-05, atol: SupportsFloat = 1e-08, equal_nan: builtins.bool = False, *, rcond: SupportsFloat = 1e-05) -> Tensor:
        """whether x and y are equal within tolerances"""
    def nan_to_num(self, nan: SupportsFloat = 0.0, posinf: SupportsFloat = 1.7976931348623157e+308, neginf: SupportsFloat = -1.7976931348623157e+308) -> Tensor:
        """replace NaN and infinities by numbers"""
    def shift_left(self, y: TensorLike) -> Tensor:
        """left shift of integers: x 2^y"""
    def shift_left_(self, y: TensorLike) -> Tensor:
        """left shift of integers: x 2^y"""
    def shift_right(self, y: TensorLike) -> Tensor:
        """right shift of integers: floor(x / 2^y)"""
    def shift_right_(self, y: TensorLike) -> Tensor:
        """right shift of integers: floor(x / 2^y)"""
    def where(self, condition: Any, other: Any) -> Any:
        """Elements of the tensor where condition is true, else of `other`."""
    def where_(self, x: TensorLike, y: TensorLike) -> Tensor:
        """select: x where condition is nonzero, else y"""
    def clamp(self, min: Any = None, max: Any = None) -> Tensor:
        """min(max(x, min), max); a bound that is None does not apply."""
    def clamp_(self, min: Any = None, max: Any = None) -> Tensor:
        """In-place version of clamp."""
    def lerp(self, y: TensorLike, weight: TensorLike) -> Tensor:
        """linear interpolation: x + weight (y - x)"""
    def lerp_(self, y: TensorLike, weight: TensorLike) -> Tensor:
        """linear interpolation: x + weight (y - x)"""
    def neg(self) -> Tensor:
        """-x"""
    def neg_(self) -> Tensor:
        """-x"""
    def abs(self) -> Tensor:
        """absolute value"""
    def abs_(self) -> Tensor:
        """absolute value"""
    def sign(self) -> Tensor:
        """sign of x: -1, 0 or 1"""
    def sign_(self) -> Tensor:
        """sign of x: -1, 0 or 1"""
    def floor(self) -> Tensor:
        """floor: round down"""
    def floor_(self) -> Tensor:
        """floor: round down"""
    def ceil(self) -> Tensor:
        """ceiling: round up"""
    def ceil_(self) -> Tensor:
        """ceiling: round up"""
    def round(self, decimals: Any = 0) -> Tensor:
        """x rounded to the nearest multiple of 10 ** -decimals, ties to even."""
    def round_(self) -> Tensor:
        """round to the nearest integer, ties to even"""
    def trunc(self) -> Tensor:
        """truncate: round towards zero"""
    def trunc_(self) -> Tensor:
        """truncate: round towards zero"""
    def square(self) -> Tensor:
        """square: x^2"""
    def square_(self) -> Tensor:
        """square: x^2"""
    def reciprocal(self) -> Tensor:
        """1 / x"""
    def reciprocal_(self) -> Tensor:
        """1 / x"""
    def exp(self) -> Tensor:
        """exponential: e^x"""
    def exp_(self) -> Tensor:
        """exponential: e^x"""
    def exp2(self) -> Tensor:
        """2^x"""
    def exp2_(self) -> Tensor:
        """2^x"""
    def expm1(self) -> Tensor:
        """e^x - 1, accurate near 0"""
    def expm1_(self) -> Tensor:
        """e^x - 1, accurate near 0"""
    def log(self) -> Tensor:
        """natural logarithm"""
    def log_(self) -> Tensor:
        """natural logarithm"""
    def log1p(self) -> Tensor:
        """log(1 + x), accurate near 0"""
    def log1p_(self) -> Tensor:
        """log(1 + x), accurate near 0"""
    def log2(self) -> Tensor:
        """logarithm to base 2"""
    def log2_(self) -> Tensor:
        """logarithm to base 2"""
    def sqrt(self) -> Tensor:
        """square root"""
    def sqrt_(self) -> Tensor:
        """square root"""
    def rsqrt(self) -> Tensor:
        """reciprocal square root: 1 / sqrt(x)"""
    def rsqrt_(self) -> Tensor:
        """reciprocal square root: 1 / sqrt(x)"""
    def sin(self) -> Tensor:
        """sine of x in radians"""
    def sin_(self) -> Tensor:
        """sine of x in radians"""
    def cos(self) -> Tensor:
        """cosine of x in radians"""
    def cos_(self) -> Tensor:
        """cosine of x in radians"""
    def tan(self) -> Tensor:
        """tangent of x in radians"""
    def tan_(self) -> Tensor:
        """tangent of x in radians"""
    def asin(self) -> Tensor:
        """arcsine in radians"""
    def asin_(self) -> Tensor:
        """arcsine in radians"""
    def acos(self) -> Tensor:
        """arccosine in radians"""
    def acos_(self) -> Tensor:
        """arccosine in radians"""
    def atan(self) -> Tensor:
        """arctangent in radians"""
    def atan_(self) -> Tensor:
        """arctangent in radians"""
    def sinh(self) -> Tensor:
        """hyperbolic sine"""
    def sinh_(self) -> Tensor:
        """hyperbolic sine"""
    def cosh(self) -> Tensor:
        """hyperbolic cosine"""
    def cosh_(self) -> Tensor:
        """hyperbolic cosine"""
    def tanh(self) -> Tensor:
        """hyperbolic tangent"""
    def tanh_(self) -> Tensor:
        """hyperbolic tangent"""
    def asinh(self) -> Tensor:
        """inverse hyperbolic sine"""
    def asinh_(self) -> Tensor:
        """inverse hyperbolic sine"""
    def acosh(self) -> Tensor:
        """inverse hyperbolic cosine"""
    def acosh_(self) -> Tensor:
        """inverse hyperbolic cosine"""
    def atanh(self) -> Tensor:
        """inverse hyperbolic tangent"""
    def atanh_(self) -> Tensor:
        """inverse hyperbolic tangent"""
    def erf(self) -> Tensor:
        """error function"""
    def erf_(self) -> Tensor:
        """error function"""
    def erfc(self) -> Tensor:
        """complementary error function: 1 - erf(x)"""
    def erfc_(self) -> Tensor:
        """complementary error function: 1 - erf(x)"""
    def erfinv(self) -> Tensor:
        """inverse error function: erf(erfinv(x)) = x, -1 < x < 1"""
    def erfinv_(self) -> Tensor:
        """inverse error function: erf(erfinv(x)) = x, -1 < x < 1"""
    def lgamma(self) -> Tensor:
        """logarithm of the absolute value of the gamma function"""
    def lgamma_(self) -> Tensor:
        """logarithm of the absolute value of the gamma function"""
    def digamma(self) -> Tensor:
        """derivative of lgamma"""
    def digamma_(self) -> Tensor:
        """derivative of lgamma"""
    def zeta(self, q: TensorLike) -> Tensor:
        """Hurwitz zeta function: the sum of (q + k)^-s over k = 0, 1, ..."""
    def zeta_(self, q: TensorLike) -> Tensor:
        """Hurwitz zeta function: the sum of (q + k)^-s over k = 0, 1, ..."""
    def sigmoid(self) -> Tensor:
        """logistic sigmoid: 1 / (1 + e^-x)"""
    def sigmoid_(self) -> Tensor:
        """logistic sigmoid: 1 / (1 + e^-x)"""
    def softplus(self) -> Tensor:
        """log(1 + e^x)"""
    def softplus_(self) -> Tensor:
        """log(1 + e^x)"""
    def relu(self) -> Tensor:
        """rectified linear unit: max(x, 0)"""
    def relu_(self) -> Tensor:
        """rectified linear unit: max(x, 0)"""
    def relu_squared(self) -> Tensor:
        """squared ReLU: max(x, 0)^2"""
    def relu_squared_(self) -> Tensor:
        """squared ReLU: max(x, 0)^2"""
    def gelu(self) -> Tensor:
        """Gaussian error linear unit: x Phi(x), Phi = standard normal CDF"""
    def gelu_(self) -> Tensor:
        """Gaussian error linear unit: x Phi(x), Phi = standard normal CDF"""
    def gelu_tanh(self) -> Tensor:
        """tanh approximation of gelu"""
    def gelu_tanh_(self) -> Tensor:
        """tanh approximation of gelu"""
    def silu(self) -> Tensor:
        """SiLU (swish): x sigmoid(x)"""
    def silu_(self) -> Tensor:
        """SiLU (swish): x sigmoid(x)"""
    def leaky_relu(self, slope: TensorLike | None = 0.01) -> Tensor:
        """leaky ReLU: x if x > 0, else slope * x"""
    def leaky_relu_(self, slope: TensorLike | None = 0.01) -> Tensor:
        """leaky ReLU: x if x > 0, else slope * x"""
    def elu(self, alpha: TensorLike | None = 1) -> Tensor:
        """exponential linear unit: x if x > 0, else alpha (e^x - 1)"""
    def elu_(self, alpha: TensorLike | None = 1) -> Tensor:
        """exponential linear unit: x if x > 0, else alpha (e^x - 1)"""
    def add_relu(self, y: TensorLike) -> Tensor:
        """fused relu(x + y)"""
    def add_relu_(self, y: TensorLike) -> Tensor:
        """fused relu(x + y)"""
    def mul_relu(self, y: TensorLike) -> Tensor:
        """fused relu(x y)"""
    def mul_relu_(self, y: TensorLike) -> Tensor:
        """fused relu(x y)"""
    def affine(self, scale: TensorLike, bias: TensorLike) -> Tensor:
        """fused x * scale + bias"""
    def affine_(self, scale: TensorLike, bias: TensorLike) -> Tensor:
        """fused x * scale + bias"""
    def sum(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False, dtype: Any = None) -> Tensor:
        """sum over axes"""
    def mean(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False, dtype: Any = None) -> Tensor:
        """mean over axes"""
    def prod(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False, dtype: Any = None) -> Tensor:
        """product over axes"""
    def max(self, dim: Any = None, keepdim: Any = False, *, axis: Any = None, axes: Any = None, keepdims: Any = None, other: Any = None, out: Any = None, initial: Any = None, where: Any = None) -> Any:
        """Maximum of all elements; along `dim`, as in PyTorch, (values, indices), of which the first of
        equals gets the gradient; over `axis` (one or several), as in NumPy, the values; with another
        tensor, elementwise.
        """
    def min(self, dim: Any = None, keepdim: Any = False, *, axis: Any = None, axes: Any = None, keepdims: Any = None, other: Any = None, out: Any = None, initial: Any = None, where: Any = None) -> Any:
        """Minimum of all elements; along `dim`, as in PyTorch, (values, indices), of which the first of
        equals gets the gradient; over `axis` (one or several), as in NumPy, the values; with another
        tensor, elementwise.
        """
    def any(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """true if any element is nonzero, over axes"""
    def all(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """true if all elements are nonzero, over axes"""
    def argmax(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """index of the maximum; the first of equal elements"""
    def argmin(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """index of the minimum; the first of equal elements"""
    def var_rows(self, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
        """variance along one axis"""
    def std_rows(self, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
        """standard deviation along one axis"""
    def norm_rows(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Euclidean norm along one axis"""
    def var(self, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None, axis: Any = None, axes: Any = None, ddof: Any = None, keepdims: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
        """variance over axes; divided by n - correction, which is 1 by default, as in PyTorch; over `axis`
        without correction n, as in NumPy.
        """
    def std(self, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None, axis: Any = None, axes: Any = None, ddof: Any = None, keepdims: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
        """standard deviation over axes; divided by n - correction, which is 1 by default, as in PyTorch;
        over `axis` without correction n, as in NumPy.
        """
    def norm(self, p: Any = 'fro', dim: Any = None, keepdim: Any = False, dtype: Any = None, *, axis: Any = None, axes: Any = None, keepdims: Any = None) -> Tensor:
        """p-norm of all elements or over axes; "fro": Euclidean, "nuc": sum of the singular values of
        matrices.
        """
    def cumsum(self, dim: Any = None, reverse: Any = False, *, axis: Any = None, dtype: Any = None) -> Tensor:
        """cumulative sum along an axis; without one of the flattened tensor, as in NumPy."""
    def cumprod(self, dim: Any = None, reverse: Any = False, *, axis: Any = None, dtype: Any = None) -> Tensor:
        """cumulative product along an axis; without one of the flattened tensor, as in NumPy."""
    def linear_recurrence(self, b: TensorLike, axis: SupportsIndex = -1, reverse: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """first-order linear recurrence along an axis: y_k = a_k y_(k-1) + b_k, y_(-1) = 0"""
    @overload
    def reshape(self, shape: ShapeLike | None = (), *, size: ShapeLike | None = (), order: Any = 'C') -> Tensor:
        """same elements in row-major order, new shape"""
    @overload
    def reshape(self, *shape: SupportsIndex, size: ShapeLike | None = (), order: Any = 'C') -> Tensor:
        """same elements in row-major order, new shape"""
    @overload
    def permute(self, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = ()) -> Tensor:
        """permute axes"""
    @overload
    def permute(self, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = ()) -> Tensor:
        """permute axes"""
    @overload
    def transpose(self, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, *, dim0: SupportsIndex = -2, dim1: SupportsIndex = -1) -> Tensor:
        """swap two axes"""
    @overload
    def transpose(self, *axes: Any) -> Tensor:
        """swap two axes"""
    @overload
    def expand(self, shape: ShapeLike | None = (), *, size: ShapeLike | None = ()) -> Tensor:
        """broadcast to a larger shape, as a view"""
    @overload
    def expand(self, *shape: SupportsIndex, size: ShapeLike | None = ()) -> Tensor:
        """broadcast to a larger shape, as a view"""
    def squeeze(self, dim: Any = None, *, axis: Any = None, axes: Any = None) -> Tensor:
        """Removes axes of size 1, or only those of `dim`. As in PyTorch, an axis of `dim` with another size
        stays; an axis of `axis` must have size 1, as in NumPy.
        """
    def unsqueeze(self, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
        """insert an axis of size 1"""
    def slice(self, axis: SupportsIndex = 0, start: SupportsIndex = 0, stop: SupportsIndex = 9223372036854775807, step: SupportsIndex = 1, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0, end: SupportsIndex = 9223372036854775807) -> Tensor:
        """x[start:stop:step] along an axis"""
    def select(self, axis: SupportsIndex = 0, index: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
        """slice at one index of an axis; removes that axis"""
    def slice_embed(self, axis: SupportsIndex = 0, start: SupportsIndex = 0, step: SupportsIndex = 1, size: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
        """zeros with x at [start::step] of an axis, the transpose of slice"""
    def clone(self, *, memory_format: Any = None) -> Tensor:
        """contiguous copy"""
    def split(self, split_size_or_sections: Any = None, dim: Any = 0, *, axis: Any = None, sizes: Any = None) -> builtins.tuple[Tensor, ...]:
        """Parts along an axis, as views: of a size (the last may be smaller), or of the sizes of a list."""
    def chunk(self, chunks: SupportsIndex = 1, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> builtins.tuple[Tensor, ...]:
        """split into chunks of equal size along an axis; the last may be smaller"""
    def flip(self, **options: Any) -> Tensor:
        """Reverses the order of elements along axes, of all axes if none are given."""
    def roll(self, shifts: Any, dims: Any = None, *, axis: Any = None, axes: Any = None) -> Tensor:
        """Circular shift along axes; without axes, of the flattened tensor."""
    def pad(self, before: ShapeLike | None = (), after: ShapeLike | None = (), mode: Literal['constant', 'reflect', 'replicate', 'circular'] = 'constant', value: SupportsFloat = 0.0) -> Tensor:
        """pad both ends of axes (constant, reflect, replicate, circular)"""
    @overload
    def tile(self, repeats: ShapeLike | None = ()) -> Tensor:
        """repeat the tensor along each axis"""
    @overload
    def tile(self, *repeats: SupportsIndex) -> Tensor:
        """repeat the tensor along each axis"""
    def repeat_interleave(self, repeats: Any = None, dim: Any = None, *, output_size: Any = None, axis: Any = None, count: Any = None) -> Tensor:
        """Repeats each slice along an axis consecutively, or each element of the flattened tensor.
        `repeats` is a number, or one for each slice.
        """
    def unfold(self, dimension: Any = 0, size: Any = 1, step: Any = 1, *, dim: Any = None, axis: Any = None) -> Tensor:
        """Sliding windows along an axis, as a view with a new last axis."""
    def overlap_add(self, axis: SupportsIndex = 0, step: SupportsIndex = 1, length: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
        """overlap-add: sum of windows along an axis, the transpose of unfold"""
    def diagonal(self, offset: Any = 0, dim1: Any = 0, dim2: Any = 1, *, axis0: Any = None, axis1: Any = None) -> Tensor:
        """View of the diagonal of two axes, as a new last axis."""
    def diag_embed(self, offset: Any = 0, dim1: Any = -2, dim2: Any = -1, *, axis0: Any = None, axis1: Any = None, rows: Any = -1, columns: Any = -1) -> Tensor:
        """Zeros with the last axis on the diagonal of two axes of the result."""
    def tril(self, diagonal: SupportsIndex = 0) -> Tensor:
        """lower triangle: zeros above a diagonal"""
    def triu(self, diagonal: SupportsIndex = 0) -> Tensor:
        """upper triangle: zeros below a diagonal"""
    def gather(self, *args: Any, **options: Any) -> Tensor:
        """gather values along an axis: one element of x per element of index; gather(x, dim, index, ...) as
        in PyTorch, or gather(x, index, ..., axis=...).
        """
    def scatter(self, *args: Any, reduce: Any = None, value: Any = None, **options: Any) -> Tensor:
        """Copy of x with elements replaced at the indices along an axis, by a tensor or a number:
        scatter(x, dim, index, src).
        """
    def scatter_add(self, *args: Any, **options: Any) -> Tensor:
        """Copy of x with src added at the indices along an axis: scatter_add(x, dim, index, src)."""
    def scatter_reduce(self, *args: Any, **options: Any) -> Tensor:
        """Copy of x with src reduced into it at the indices along an axis: scatter_reduce(x, dim, index,
        src, reduce).
        """
    def index_select(self, *args: Any, **options: Any) -> Tensor:
        """slices of x along an axis selected by a 1-D index; index_select(x, dim, index, ...) as in
        PyTorch, or index_select(x, index, ..., axis=...).
        """
    def index_add(self, *args: Any, alpha: Any = 1, **options: Any) -> Tensor:
        """Copy of x with slices of src added at the indices of an axis: index_add(x, dim, index, src)."""
    def take(self, index: TensorLike) -> Tensor:
        """elements at flat (row-major) indices"""
    def masked_select(self, mask: TensorLike) -> Tensor:
        """1-D tensor of the elements where mask is true"""
    def nonzero(self, *, as_tuple: Any = False) -> Any:
        """Indices of the nonzero elements [n, axes]; with as_tuple a tensor of n indices for each axis."""
    def embedding(self, index: TensorLike) -> Tensor:
        """embedding lookup: rows of weight [rows, ...] at an index of any shape: [index..., ...]"""
    def masked_fill(self, mask: Any, value: Any = 0.0) -> Tensor:
        """Copy of x, broadcast with the mask, with a number or a 0-d tensor where the mask is true."""
    def one_hot(self, classes: SupportsIndex = -1, dtype: DTypeLike = 'f32', *, num_classes: SupportsIndex = -1) -> Tensor:
        """one-hot encoding along a new last axis"""
    def as_strided(self, shape: ShapeLike | None = (), strides: ShapeLike | None = (), offset: SupportsIndex = 0, *, size: ShapeLike | None = (), stride: ShapeLike | None = (), storage_offset: SupportsIndex = 0) -> Tensor:
        """view of the elements of x, counted in row-major order, at offset + strides * index"""
    def as_strided_scatter(self, src: TensorLike, shape: ShapeLike | None = (), strides: ShapeLike | None = (), offset: SupportsIndex = 0, *, size: ShapeLike | None = (), stride: ShapeLike | None = (), storage_offset: SupportsIndex = 0) -> Tensor:
        """copy of x with src written at the elements that as_strided selects"""
    def sort(self, dim: Any = -1, descending: Any = False, stable: Any = False, *, axis: Any = None) -> builtins.tuple[Tensor, Tensor]:
        """Sorted values along an axis and their indices; always stable."""
    def argsort(self, dim: Any = -1, descending: Any = False, stable: Any = False, *, axis: Any = -1, kind: Any = None) -> Tensor:
        """Indices that sort along an axis, with axis=None the flattened tensor; always stable, whatever
        `kind` NumPy programs ask for.
        """
    def topk(self, k: SupportsIndex = 1, axis: SupportsIndex = -1, largest: builtins.bool = True, sorted: builtins.bool = True, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, sorted_sequence: builtins.bool = True) -> builtins.tuple[Tensor, Tensor]:
        """the k largest or smallest elements along an axis and their indices"""
    def searchsorted(self, values: TensorLike, right: builtins.bool = False) -> Tensor:
        """indices at which values would be inserted into sorted rows"""
    def unique(self, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None, *, return_index: Any = False, axis: Any = None) -> Any:
        """Sorted unique values; on request with the index of each element in them and their counts. Along
        an axis: unique slices.
        """
    def bincount(self, weights: Any = None, minlength: Any = 0) -> Tensor:
        """Counts of each non-negative integer, or sums of its weights: f64 for integer weights."""
    def kthvalue(self, k: SupportsIndex = 1, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
        """k-th smallest value along an axis and its index"""
    def median(self, dim: Any = None, keepdim: Any = False, *, axis: Any = None, keepdims: Any = None) -> Any:
        """The lower median of all elements, or along an axis (values, indices); NaN if an element is NaN.
        """
    def quantile(self, q: Any, dim: Any = None, keepdim: Any = False, *, interpolation: Any = 'linear', axis: Any = None, axes: Any = None) -> Tensor:
        """Quantile of all elements or along an axis; for a vector of q, one for each along a new first
        axis.
        """
    def dropout(self, p: SupportsFloat = 0.5, seed: SupportsIndex = 0, offset: SupportsIndex = 0, *, storage_offset: SupportsIndex = 0) -> Tensor:
        """dropout: zero with probability p, else x / (1 - p)"""
    def softmax(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, dtype: Any = None) -> Tensor:
        """softmax along an axis: e^x / sum e^x"""
    def log_softmax(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, dtype: Any = None) -> Tensor:
        """log-softmax along an axis: x - log sum e^x"""
    def softmax_backward(self, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gradient of softmax from its output"""
    def log_softmax_backward(self, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gradient of log_softmax from its output"""
    def logsumexp_rows(self, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """log-sum-exp along one axis: log sum e^x"""
    def layer_norm(self, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """layer normalisation: (x - mean) / sqrt(variance + eps) * weight + bias"""
    def rms_norm(self, weight: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """root mean square normalisation: x / sqrt(mean(x^2) + eps) * weight"""
    def moments(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """mean and biased variance along an axis"""
    def standardize(self, mean: TensorLike, variance: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """standardize with given moments: (x - mean) / sqrt(variance + eps) * weight + bias"""
    def cosine_similarity(self, y: TensorLike, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-08, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """cosine similarity along an axis: x . y / (|x| |y|)"""
    def group_norm(self, weight: TensorLike | None = None, bias: TensorLike | None = None, groups: SupportsIndex = 1, eps: SupportsFloat = 1e-05, *, num_groups: SupportsIndex = 1) -> Tensor:
        """group normalisation over groups of channels"""
    def batch_norm(self, weight: TensorLike | None = None, bias: TensorLike | None = None, mean: TensorLike | None = None, variance: TensorLike | None = None, eps: SupportsFloat = 1e-05) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """batch normalisation of each channel; also returns mean and biased variance"""
    def logsumexp(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """log-sum-exp over axes: log sum e^x"""
    def mse_terms(self, y: TensorLike) -> Tensor:
        """squared error: (x - y)^2"""
    def mse_terms_(self, y: TensorLike) -> Tensor:
        """squared error: (x - y)^2"""
    def l1_terms(self, y: TensorLike) -> Tensor:
        """absolute error: |x - y|"""
    def l1_terms_(self, y: TensorLike) -> Tensor:
        """absolute error: |x - y|"""
    def huber_terms(self, y: TensorLike, delta: TensorLike) -> Tensor:
        """Huber loss per element: (x - y)^2 / 2 if |x - y| < delta, else linear"""
    def huber_terms_(self, y: TensorLike, delta: TensorLike) -> Tensor:
        """Huber loss per element: (x - y)^2 / 2 if |x - y| < delta, else linear"""
    def bce_terms(self, y: TensorLike) -> Tensor:
        """binary cross entropy per element: -(y log x + (1 - y) log(1 - x))"""
    def bce_terms_(self, y: TensorLike) -> Tensor:
        """binary cross entropy per element: -(y log x + (1 - y) log(1 - x))"""
    def bce_with_logits_terms(self, y: TensorLike, pos_weight: TensorLike) -> Tensor:
        """binary cross entropy of logits per element: -(pos_weight y log s(x) + (1 - y) log s(-x)), s = sigmoid"""
    def bce_with_logits_terms_(self, y: TensorLike, pos_weight: TensorLike) -> Tensor:
        """binary cross entropy of logits per element: -(pos_weight y log s(x) + (1 - y) log s(-x)), s = sigmoid"""
    def kl_div_terms(self, y: TensorLike) -> Tensor:
        """Kullback-Leibler divergence terms: y (log y - x)"""
    def kl_div_terms_(self, y: TensorLike) -> Tensor:
        """Kullback-Leibler divergence terms: y (log y - x)"""
    def kl_div_log_terms(self, y: TensorLike) -> Tensor:
        """Kullback-Leibler divergence terms of log-probabilities: e^y (y - x)"""
    def kl_div_log_terms_(self, y: TensorLike) -> Tensor:
        """Kullback-Leibler divergence terms of log-probabilities: e^y (y - x)"""
    def cross_entropy_rows(self, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """cross entropy per row: -log softmax(logits)[target]"""
    def weighted_cross_entropy_rows(self, weight: TensorLike | None, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """cross entropy per row with class weights and label smoothing"""
    def probability_cross_entropy_rows(self, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """cross entropy per row with class probabilities as target"""
    def mse(self, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """mean squared error: (x - y)^2, reduced by mean (default), sum or none"""
    def l1(self, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """mean absolute error: |x - y|, reduced by mean (default), sum or none"""
    def huber(self, y: TensorLike, delta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """Huber loss: (x - y)^2 / 2 if |x - y| < delta, else linear; mean by default"""
    def smooth_l1(self, y: TensorLike, beta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """smooth L1 loss: Huber loss / beta; mean by default"""
    def bce(self, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """binary cross entropy of probabilities; mean by default"""
    def bce_with_logits(self, y: TensorLike, pos_weight: TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """binary cross entropy of logits: bce of sigmoid(x); mean by default"""
    def kl_div(self, y: TensorLike, log_target: builtins.bool = False, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """Kullback-Leibler divergence of y from log-probabilities x; mean by default"""
    def nll(self, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """negative log-likelihood: -x[target] of log-probabilities x; mean by default"""
    def cross_entropy(self, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """cross entropy loss: -log softmax(logits)[target]; mean by default"""
    def matmul(self, y: TensorLike) -> Tensor:
        """matrix product; broadcasts batch axes, accepts vectors"""
    def linear(self, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
        """linear layer: x W^T + bias, weight W [out, in]"""
    def linear_act(self, weight: TensorLike, bias: TensorLike | None = None, act: Literal['none', 'relu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'tanh'] = 'none') -> Tensor:
        """linear layer with activation: act(x W^T + bias)"""
    def outer(self, y: TensorLike) -> Tensor:
        """outer product of two vectors: x_i y_j"""
    def triangular_solve(self, b: TensorLike, upper: builtins.bool = False, transpose: builtins.bool = False, unitriangular: builtins.bool = False, left: builtins.bool = True) -> Tensor:
        """solve a X = b or X a = b for triangular a"""
    def solve(self, b: TensorLike) -> Tensor:
        """solve the linear system a X = b"""
    def inverse(self) -> Tensor:
        """inverse of square matrices"""
    def matrix_power(self, power: SupportsIndex = 2) -> Tensor:
        """integer power of square matrices"""
    def det(self) -> Tensor:
        """determinant of square matrices"""
    def slogdet(self) -> builtins.tuple[Tensor, Tensor]:
        """sign and log |det x| (natural logarithm) of square matrices"""
    def lstsq(self, b: TensorLike) -> Tensor:
        """least-squares solution of a X = b; a must have full rank"""
    def cholesky(self, *, upper: Any = False) -> Tensor:
        """Cholesky decomposition: lower triangular L with x = L L^T (uses the symmetric part of x)"""
    def qr(self) -> builtins.tuple[Tensor, Tensor]:
        """reduced QR decomposition: x = Q R, Q with orthonormal columns, R upper triangular"""
    def svd(self) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """reduced singular value decomposition (SVD): x = u diag(s) vh"""
    def eigh(self) -> builtins.tuple[Tensor, Tensor]:
        """eigenvalues and eigenvectors of symmetric matrices (uses the symmetric part of x)"""
    def addmm(self, a: TensorLike, b: TensorLike, beta: SupportsFloat = 1.0, alpha: SupportsFloat = 1.0) -> Tensor:
        """matrix product added to a tensor: beta x + alpha a b"""
    def tensordot(self, y: TensorLike, x_axes: ShapeLike | None = (), y_axes: ShapeLike | None = ()) -> Tensor:
        """sum of products over pairs of axes of two tensors"""
    def kron(self, y: TensorLike) -> Tensor:
        """Kronecker product: every element of x times y"""
    def cross(self, other: Any, dim: Any = None, *, axis: Any = None) -> Tensor:
        """Cross product of 3-d vectors along an axis, by default the first of size 3."""
    def trace(self, offset: SupportsIndex = 0, axis0: SupportsIndex = 0, axis1: SupportsIndex = 1, *, storage_offset: SupportsIndex = 0, dim0: SupportsIndex = 0, dim1: SupportsIndex = 1) -> Tensor:
        """trace: sum of the diagonal of two axes"""
    def cdist(self, y: TensorLike, p: SupportsFloat = 2.0) -> Tensor:
        """pairwise distances of rows: p-norm of x_i - y_j"""
    def pinv(self, rtol: SupportsFloat = -1.0, *, rcond: SupportsFloat = -1.0) -> Tensor:
        """Moore-Penrose pseudoinverse of matrices"""
    def csr_matmul(self, col_indices: TensorLike, values: TensorLike, dense: TensorLike) -> Tensor:
        """product of a sparse matrix in compressed sparse rows (CSR) with a dense matrix or vector"""
    def csr_sampled_matmul(self, col_indices: TensorLike, x: TensorLike, y: TensorLike) -> Tensor:
        """sampled dense-dense product: elements of x y^T at the places of a sparse matrix (CSR)"""
    def csr_transpose(self, col_indices: TensorLike, columns: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """structure of the transpose of a sparse matrix (CSR), and the order of its values"""
    def semiring_matmul(self, y: TensorLike, semiring: Literal['min_plus', 'max_plus', 'min_times', 'max_times'] = 'min_plus') -> Tensor:
        """matrix product over a semiring, e.g. min_plus: out_ij = min over l of x_il + y_lj"""
    def semiring_fixpoint(self, b: TensorLike, semiring: Literal['min_plus', 'max_plus', 'min_times', 'max_times'] = 'min_plus') -> Tensor:
        """solution x of x = best of b and a x over a semiring: lengths of shortest paths"""
    def conv2d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """2-D convolution of x [N, in, H, W] by weight [out, in / groups, h, w]"""
    def conv1d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """1-D convolution of x [N, in, L] by weight [out, in / groups, l]"""
    def conv_transpose2d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """2-D transposed convolution of x [N, in, H, W] by weight [in, out / groups, h, w]"""
    def conv_transpose1d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """1-D transposed convolution of x [N, in, L] by weight [in, out / groups, l]"""
    def conv2d_weight_gradient(self, grad: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, kernel_size: ShapeLike | None = (1,), num_groups: SupportsIndex = 1) -> Tensor:
        """gradient of conv2d with respect to its weight"""
    def max_pool2d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: builtins.bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """2-D max pooling"""
    def max_pool1d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: builtins.bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """1-D max pooling"""
    def avg_pool2d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """2-D average pooling"""
    def avg_pool1d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """1-D average pooling"""
    def avg_pool2d_gradient(self, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """gradient of avg_pool2d with respect to its input"""
    @overload
    def adaptive_max_pool2d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """adaptive 2-D max pooling to a given output size"""
    @overload
    def adaptive_max_pool2d(self, *size: SupportsIndex) -> Tensor:
        """adaptive 2-D max pooling to a given output size"""
    @overload
    def adaptive_max_pool1d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """adaptive 1-D max pooling to a given output size"""
    @overload
    def adaptive_max_pool1d(self, *size: SupportsIndex) -> Tensor:
        """adaptive 1-D max pooling to a given output size"""
    @overload
    def adaptive_avg_pool2d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """adaptive 2-D average pooling to a given output size"""
    @overload
    def adaptive_avg_pool2d(self, *size: SupportsIndex) -> Tensor:
        """adaptive 2-D average pooling to a given output size"""
    @overload
    def adaptive_avg_pool1d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """adaptive 1-D average pooling to a given output size"""
    @overload
    def adaptive_avg_pool1d(self, *size: SupportsIndex) -> Tensor:
        """adaptive 1-D average pooling to a given output size"""
    @overload
    def adaptive_avg_pool2d_gradient(self, size: ShapeLike | None = (1,)) -> Tensor:
        """gradient of adaptive_avg_pool2d with respect to its input"""
    @overload
    def adaptive_avg_pool2d_gradient(self, *size: SupportsIndex) -> Tensor:
        """gradient of adaptive_avg_pool2d with respect to its input"""
    def im2col(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """im2col: sliding windows of images as columns"""
    def col2im(self, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """col2im: sum of columns into images, the transpose of im2col"""
    def scaled_dot_product_attention(self, k: TensorLike, v: TensorLike, mask: TensorLike | None = None, lengths: TensorLike | None = None, causal: builtins.bool = False, scale: SupportsFloat = 0.0, softcap: SupportsFloat = 0.0, window: SupportsIndex = 0, dropout: SupportsFloat = 0.0, seed: SupportsIndex = 0, offset: SupportsIndex = 0, *, storage_offset: SupportsIndex = 0) -> Tensor:
        """attention softmax(scale q k^T) v of q, k, v [..., heads, length, width], computed blockwise; lengths: number of valid keys per sequence, of which the queries are the last"""
    def rope(self, positions: TensorLike | None = None, frequencies: TensorLike | None = None, base: SupportsFloat = 10000.0, position: SupportsIndex = 0, width: SupportsIndex = 0, interleaved: builtins.bool = False, inverse: builtins.bool = False) -> Tensor:
        """rotary position embedding (RoPE): rotates pairs of features by position * frequency"""
    def poincare_add(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius addition x ⊕ y"""
    def poincare_gyration(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
    def poincare_scalar_rows(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius scalar multiplication r ⊗ x"""
    def poincare_exp(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at x"""
    def poincare_exp_backward(self, x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """gradients of poincare_exp: cotangents of its operands from that of its result"""
    def poincare_log(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of y at x"""
    def poincare_exp0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
    def poincare_log0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
    def poincare_transport(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from x to y"""
    def poincare_transport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from the origin to x"""
    def poincare_geodesic(self, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """point at t on the geodesic from x (t = 0) to y (t = 1)"""
    def poincare_egrad2rgrad(self, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Riemannian gradient at x from the Euclidean gradient g"""
    def poincare_project(self, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """project x into the ball: clip its norm to 1 - margin of the radius"""
    def poincare_lambda(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """conformal factor 2 / (1 - c|x|^2)"""
    def poincare_dist(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance between x and y"""
    def poincare_dist0(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance from x to the origin"""
    def poincare_dist2(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """squared geodesic distance between x and y"""
    def poincare_inner(self, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """inner product <u, v> of tangent vectors at x"""
    def poincare_norm(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """norm |v| of a tangent vector at x"""
    def poincare_to_lorentz(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """x mapped to the hyperboloid (isometry)"""
    def poincare_to_klein(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """x mapped to the Klein ball (isometry)"""
    def poincare_sub(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius subtraction x ⊕ (-y)"""
    def poincare_scalar(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius scalar multiplication r ⊗ x"""
    def lorentz_add(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyrovector addition x ⊕ y: the boost from the origin to x, applied to y"""
    def lorentz_scalar_rows(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """scalar multiplication r ⊗ x = exp0(r log0(x))"""
    def lorentz_exp(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at x"""
    def lorentz_log(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of y at x"""
    def lorentz_exp0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at the origin: sinh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
    def lorentz_log0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of x at the origin: arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
    def lorentz_transport(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from x to y"""
    def lorentz_transport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from the origin to x"""
    def lorentz_geodesic(self, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """point at t on the geodesic from x (t = 0) to y (t = 1)"""
    def lorentz_egrad2rgrad(self, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Riemannian gradient at x from the Euclidean gradient g"""
    def lorentz_dist(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance between x and y"""
    def lorentz_dist_backward(self, y: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """gradients of lorentz_dist: cotangents of its operands from that of its result"""
    def lorentz_dist0(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance from x to the origin"""
    def lorentz_dist2(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """squared geodesic distance between x and y"""
    def lorentz_inner(self, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """inner product <u, v> of tangent vectors at x"""
    def lorentz_norm(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """norm |v| of a tangent vector at x"""
    def lorentz_to_poincare(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """x mapped to the Poincaré ball (isometry)"""
    def lorentz_to_klein(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """x mapped to the Klein ball (isometry)"""
    def lorentz_sub(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyrovector subtraction x ⊕ (-y)"""
    def lorentz_scalar(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """scalar multiplication r ⊗ x = exp0(r log0(x))"""
    def lorentz_gyration(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
    def lorentz_with_time(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """prepend the time coordinate: (sqrt(1 / c + |x|^2), x)"""
    def lorentz_without_time(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """remove the time coordinate: x of (time, x)"""
    def klein_add(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Einstein addition x ⊕ y"""
    def klein_scalar_rows(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """scalar multiplication r ⊗ x of the Einstein gyrovector space"""
    def klein_exp(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at x"""
    def klein_log(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of y at x"""
    def klein_exp0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
    def klein_log0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
    def klein_transport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from the origin to x"""
    def klein_untransport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from x to the origin"""
    def klein_geodesic(self, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """point at t on the geodesic from x (t = 0) to y (t = 1)"""
    def klein_egrad2rgrad(self, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Riemannian gradient at x from the Euclidean gradient g"""
    def klein_project(self, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """project x into the ball: clip its norm to 1 - margin of the radius"""
    def klein_dist(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance between x and y"""
    def klein_dist0(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance from x to the origin"""
    def klein_dist2(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """squared geodesic distance between x and y"""
    def klein_inner(self, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """inner product <u, v> of tangent vectors at x"""
    def klein_norm(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """norm |v| of a tangent vector at x"""
    def klein_to_poincare(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """x mapped to the Poincaré ball (isometry)"""
    def klein_to_lorentz(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """x mapped to the hyperboloid (isometry)"""
    def klein_sub(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Einstein subtraction x ⊕ (-y)"""
    def klein_scalar(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """scalar multiplication r ⊗ x of the Einstein gyrovector space"""
    def klein_gyration(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
    def klein_transport(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from x to y"""
    def poincare_ball_layer(self, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    def poincare_ball_layer_backward(self, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """gradients of the geodesic layer: cotangents of its operands from that of its result"""
    def poincare_gyro_lerp(self, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
    def lorentz_layer(self, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    def lorentz_layer_backward(self, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """gradients of the geodesic layer: cotangents of its operands from that of its result"""
    def lorentz_gyro_lerp(self, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
    def klein_layer(self, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """point at t on the geodesic from u (t = 0) to v (t = 1)"""
    def klein_layer_backward(self, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """gradients of the geodesic layer: cotangents of its operands from that of its result"""
    def klein_gyro_lerp(self, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
    def poincare_matvec(self, x: TensorLike, c: TensorLike) -> Tensor:
        """Möbius matrix-vector multiplication exp0(m log0(x))"""
    def poincare_pointwise(self, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
    def lorentz_matvec(self, x: TensorLike, c: TensorLike) -> Tensor:
        """Möbius matrix-vector multiplication exp0(m log0(x))"""
    def lorentz_pointwise(self, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
    def klein_matvec(self, x: TensorLike, c: TensorLike) -> Tensor:
        """Möbius matrix-vector multiplication exp0(m log0(x))"""
    def klein_pointwise(self, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
    def poincare_cdist(self, y: TensorLike, c: TensorLike) -> Tensor:
        """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
    def lorentz_cdist(self, y: TensorLike, c: TensorLike) -> Tensor:
        """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
    def klein_cdist(self, y: TensorLike, c: TensorLike) -> Tensor:
        """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
    def poincare_midpoint(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these are 0"""
    def lorentz_midpoint(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these are 0"""
    def klein_midpoint(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these are 0"""
    def poincare_frechet_mean(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
    def lorentz_frechet_mean(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
    def klein_frechet_mean(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
    def poincare_exp0_add(self, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius bias exp0(v) ⊕ b, projected into the ball"""
    def poincare_exp0_add_exp0(self, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius bias exp0(v) ⊕ exp0(b), projected into the ball"""
    def poincare_lift(self, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """points of the Poincaré ball and their time coordinate on the hyperboloid"""
    def lorentz_lift(self, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """points of the hyperboloid and their time coordinate"""
    def poincare_planes(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """hyperplanes of the Poincaré ball with normals z at gyrodistance r: normals and logit coefficients"""
    def lorentz_planes(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """hyperplanes of the hyperboloid with normals z at distance r: normals and logit coefficients"""
    def poincare_scores(self, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logits of PoincareMLR from the product of points and normals"""
    def lorentz_scores(self, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logits of LorentzMLR from the product of points and normals"""
    def poincare_from_planes(self, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """output of PoincareLinear from the product of points and normals"""
    def lorentz_gate(self, v: TensorLike, by_time: TensorLike, bias: TensorLike, scale: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """gate of LorentzLinear: x, its time t and scale sigmoid(<v, x> + by_time t + bias)"""
    def lorentz_gated(self, w: TensorLike, b: TensorLike, time: TensorLike, gate: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """output of LorentzLinear: gate h / |h| with h = product + time w + b"""
    def lorentz_affinity(self, key_time: TensorLike, time: TensorLike, slope: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """hyperbolic attention scores -slope d(query, key)^2 from inner products and times"""
    def lorentz_weights(self, key_time: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """attention weights (softmax) and the weighted mean of the keys' times"""
    def lorentz_centroid(self, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, narrow: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Lorentz centroid: (time, x) normalised onto the hyperboloid"""
    def poincare_boundary(self, c: TensorLike, margin: SupportsFloat = 0.05) -> Tensor:
        """boundary penalty: mean of max(0, c|x|^2 - (1 - margin)^2)^2"""
    def curvature_penalty(self, target: SupportsFloat = 1.0) -> Tensor:
        """curvature penalty: mean of log(c / target)^2"""
    def poincare_variance(self, c: TensorLike) -> Tensor:
        """variance: mean squared distance of points to their midpoint"""
    def poincare_contrastive(self, labels: TensorLike, c: TensorLike, temperature: SupportsFloat = 0.1) -> Tensor:
        """supervised contrastive loss with negative distances as similarities"""
    def packed_matmul(self, w: TensorLike, transpose: builtins.bool = True, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
        """x w^T, or x w, for packed w, which is decoded tile by tile"""
    def packed_matmul_int8(self, w: TensorLike, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
        """x w^T for packed w, with x rounded to 8 bits; has no gradient"""
    def packed_decode(self, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
        """weights of a packed tensor as a plain f32 tensor"""
    def packed_rows(self, indices: TensorLike, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
        """rows of packed w by index"""
    def packed_encode(self, format: Literal['D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'D4', seed: SupportsIndex = 1) -> Tensor:
        """packed weights nearest to x; the gradient passes straight through"""
    def packed_transition(self, words: TensorLike, bits: TensorLike) -> Tensor:
        """packed w with a bit of each of some words flipped: applied twice it gives w again"""
    def packed_riemannian_step(self, gradient: TensorLike, m: TensorLike, v: TensorLike, lr: SupportsFloat = 0.001, beta1: SupportsFloat = 0.9, beta2: SupportsFloat = 0.999, eps: SupportsFloat = 1e-08, step: SupportsIndex = 1, turns: builtins.bool = True) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """step of Adam for scales and angles of packed weights, points of the hyperbolic plane"""
    def mobius_add(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius addition x ⊕ y"""
    def mobius_sub(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius subtraction x ⊕ (-y)"""
    def mobius_scalar(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius scalar multiplication r ⊗ x"""
    def mobius_scalar_mul(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """Möbius scalar multiplication r ⊗ x"""
    def mobius_matvec(self, x: TensorLike, c: TensorLike) -> Tensor:
        """Möbius matrix-vector multiplication exp0(m log0(x))"""
    def mobius_pointwise(self, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
    def expmap(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at x"""
    def logmap(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of y at x"""
    def expmap0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
    def logmap0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
    def parallel_transport(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
        """parallel transport of v from x to y"""
    def poincare_distance(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance between x and y"""
    def lorentz_distance(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance between x and y"""
    def klein_distance(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """geodesic distance between x and y"""
    def absolute(self) -> Tensor:
        """absolute value"""
    def absolute_(self) -> Tensor:
        """absolute value"""
    def negative(self) -> Tensor:
        """-x"""
    def negative_(self) -> Tensor:
        """-x"""
    def subtract(self, y: TensorLike, *, alpha: Any = 1) -> Tensor:
        """x - y"""
    def subtract_(self, y: TensorLike) -> Tensor:
        """x - y"""
    def multiply(self, y: TensorLike) -> Tensor:
        """x * y"""
    def multiply_(self, y: TensorLike) -> Tensor:
        """x * y"""
    def divide(self, y: TensorLike, *, rounding_mode: Any = None) -> Tensor:
        """x / y"""
    def divide_(self, y: TensorLike) -> Tensor:
        """x / y"""
    def true_divide(self, y: TensorLike, *, rounding_mode: Any = None) -> Tensor:
        """x / y"""
    def true_divide_(self, y: TensorLike) -> Tensor:
        """x / y"""
    def greater(self, y: TensorLike) -> Tensor:
        """x > y"""
    def greater_equal(self, y: TensorLike) -> Tensor:
        """x >= y"""
    def less(self, y: TensorLike) -> Tensor:
        """x < y"""
    def less_equal(self, y: TensorLike) -> Tensor:
        """x <= y"""
    def not_equal(self, y: TensorLike) -> Tensor:
        """x != y"""
    def fix(self) -> Tensor:
        """truncate: round towards zero"""
    def fix_(self) -> Tensor:
        """truncate: round towards zero"""
    def sgn(self) -> Tensor:
        """sign of x: -1, 0 or 1"""
    def sgn_(self) -> Tensor:
        """sign of x: -1, 0 or 1"""
    def gammaln(self) -> Tensor:
        """logarithm of the absolute value of the gamma function"""
    def gammaln_(self) -> Tensor:
        """logarithm of the absolute value of the gamma function"""
    def psi(self) -> Tensor:
        """derivative of lgamma"""
    def psi_(self) -> Tensor:
        """derivative of lgamma"""
    def arccos(self) -> Tensor:
        """arccosine in radians"""
    def arccos_(self) -> Tensor:
        """arccosine in radians"""
    def arcsin(self) -> Tensor:
        """arcsine in radians"""
    def arcsin_(self) -> Tensor:
        """arcsine in radians"""
    def arctan(self) -> Tensor:
        """arctangent in radians"""
    def arctan_(self) -> Tensor:
        """arctangent in radians"""
    def arctan2(self, x: TensorLike) -> Tensor:
        """angle of the point (x, y) in radians, in [-pi, pi]"""
    def arctan2_(self, x: TensorLike) -> Tensor:
        """angle of the point (x, y) in radians, in [-pi, pi]"""
    def arccosh(self) -> Tensor:
        """inverse hyperbolic cosine"""
    def arccosh_(self) -> Tensor:
        """inverse hyperbolic cosine"""
    def arcsinh(self) -> Tensor:
        """inverse hyperbolic sine"""
    def arcsinh_(self) -> Tensor:
        """inverse hyperbolic sine"""
    def arctanh(self) -> Tensor:
        """inverse hyperbolic tangent"""
    def arctanh_(self) -> Tensor:
        """inverse hyperbolic tangent"""
    def bitwise_left_shift(self, y: TensorLike) -> Tensor:
        """left shift of integers: x 2^y"""
    def bitwise_left_shift_(self, y: TensorLike) -> Tensor:
        """left shift of integers: x 2^y"""
    def bitwise_right_shift(self, y: TensorLike) -> Tensor:
        """right shift of integers: floor(x / 2^y)"""
    def bitwise_right_shift_(self, y: TensorLike) -> Tensor:
        """right shift of integers: floor(x / 2^y)"""
    def bitwise_invert(self) -> Tensor:
        """bitwise NOT; logical NOT for boolean"""
    def amax(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """maximum over axes; propagates NaN"""
    def amin(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """minimum over axes; propagates NaN"""
    @overload
    def swapaxes(self, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, *, dim0: SupportsIndex = -2, dim1: SupportsIndex = -1) -> Tensor:
        """swap two axes"""
    @overload
    def swapaxes(self, *axes: Any) -> Tensor:
        """swap two axes"""
    @overload
    def swapdims(self, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, *, dim0: SupportsIndex = -2, dim1: SupportsIndex = -1) -> Tensor:
        """swap two axes"""
    @overload
    def swapdims(self, *axes: Any) -> Tensor:
        """swap two axes"""
    @overload
    def broadcast_to(self, shape: ShapeLike | None = (), *, size: ShapeLike | None = ()) -> Tensor:
        """broadcast to a larger shape, as a view"""
    @overload
    def broadcast_to(self, *shape: SupportsIndex, size: ShapeLike | None = ()) -> Tensor:
        """broadcast to a larger shape, as a view"""
    def bmm(self, y: TensorLike) -> Tensor:
        """matrix product; broadcasts batch axes, accepts vectors"""
    def mm(self, y: TensorLike) -> Tensor:
        """matrix product; broadcasts batch axes, accepts vectors"""
    def mv(self, y: TensorLike) -> Tensor:
        """matrix product; broadcasts batch axes, accepts vectors"""
    def dot(self, y: TensorLike) -> Tensor:
        """matrix product; broadcasts batch axes, accepts vectors"""
    def ger(self, y: TensorLike) -> Tensor:
        """outer product of two vectors: x_i y_j"""
    def addmv(self, a: TensorLike, b: TensorLike, beta: SupportsFloat = 1.0, alpha: SupportsFloat = 1.0) -> Tensor:
        """matrix product added to a tensor: beta x + alpha a b"""
    def baddbmm(self, a: TensorLike, b: TensorLike, beta: SupportsFloat = 1.0, alpha: SupportsFloat = 1.0) -> Tensor:
        """matrix product added to a tensor: beta x + alpha a b"""
    def __round__(self, ndigits: Any = None) -> Any: ...
    def compress(self, condition: Any, axis: Any = None) -> Tensor:
        """Slices along an axis where condition is true, of the flattened tensor without one."""
    def fill(self, value: Any) -> None:
        """Sets all elements to a number."""
    def tobytes(self, order: Any = 'C') -> builtins.bytes:
        """The elements as bytes."""
    def tofile(self, fid: Any) -> None:
        """Writes the elements as bytes to a path or a binary file."""
    def new_zeros(self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
        """Zeros with the dtype and device of the tensor."""
    def new_ones(self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
        """Ones with the dtype and device of the tensor."""
    def new_empty(self, *size: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
        """Uninitialised tensor with the dtype and device of the tensor."""
    def new_full(self, size: Any, fill_value: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
        """Tensor filled with a number, with the dtype and device of the tensor."""
    def new_tensor(self, data: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
        """Copy of data with the dtype and device of the tensor."""
    def clip(self, **kwargs: Any) -> Tensor:
        """Same as clamp."""
    def clip_(self, **kwargs: Any) -> Tensor:
        """Same as clamp_."""
    def clamp_min(self, min: Any) -> Tensor:
        """Larger of x and a bound."""
    def clamp_max(self, max: Any) -> Tensor:
        """Smaller of x and a bound."""
    def log10(self) -> Tensor:
        """Logarithm to base 10."""
    def hypot(self, other: Any) -> Tensor:
        """sqrt(x^2 + y^2) without overflow of the squares."""
    def fmax(self, other: Any) -> Tensor:
        """Larger of x and y that is not NaN."""
    def fmin(self, other: Any) -> Tensor:
        """Smaller of x and y that is not NaN."""
    def ldexp(self, other: Any) -> Tensor:
        """x 2^y."""
    def gcd(self, other: Any) -> Tensor:
        """Greatest common divisor of integers, by Euclid's algorithm."""
    def lcm(self, other: Any) -> Tensor:
        """Least common multiple of integers; 0 if one of them is 0."""
    def signbit(self) -> Tensor:
        """Whether the sign is negative, of -0 as well."""
    def copysign(self, other: Any) -> Tensor:
        """Magnitude of x with the sign of y."""
    def frac(self) -> Tensor:
        """Fractional part x - trunc(x)."""
    def deg2rad(self) -> Tensor:
        """Degrees to radians."""
    def rad2deg(self) -> Tensor:
        """Radians to degrees."""
    def heaviside(self, values: Any) -> Tensor:
        """0 for negative x, 1 for positive x, and `values` at 0."""
    def logit(self, eps: Any = None) -> Tensor:
        """Inverse of the logistic function: log(x / (1 - x)), of x clamped to [eps, 1 - eps]."""
    def xlogy(self, other: Any) -> Tensor:
        """x log(y), and 0 for x = 0 unless y is NaN."""
    def sinc(self) -> Tensor:
        """sin(pi x) / (pi x), and 1 at 0."""
    def logaddexp2(self, other: Any) -> Tensor:
        """log2(2^x + 2^y)."""
    def float_power(self, exponent: Any) -> Tensor:
        """Power in f64."""
    def addcmul(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
        """input + value x y."""
    def addcmul_(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
        """Adds value x y in place."""
    def addcdiv(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
        """input + value x / y."""
    def addcdiv_(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
        """Adds value x / y in place."""
    def positive(self) -> Tensor:
        """x itself."""
    def isposinf(self) -> Tensor:
        """True where x is infinity."""
    def isneginf(self) -> Tensor:
        """True where x is -infinity."""
    def isreal(self) -> Tensor:
        """True everywhere, since there are no complex dtypes."""
    def conj(self) -> Tensor:
        """x itself, since there are no complex dtypes."""
    def retain_grad(self) -> Any:
        """Keeps the gradient of a result in its `grad` during backward(), as of a leaf."""
    def addbmm_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of addbmm."""
    def addmm_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of addmm."""
    def addmv_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of addmv."""
    def addr_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of addr."""
    def baddbmm_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of baddbmm."""
    def bitwise_not_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of bitwise_not."""
    def clamp_max_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of clamp_max."""
    def clamp_min_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of clamp_min."""
    def copysign_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of copysign."""
    def cumprod_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of cumprod."""
    def cumsum_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of cumsum."""
    def deg2rad_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of deg2rad."""
    def eq_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of eq."""
    def float_power_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of float_power."""
    def frac_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of frac."""
    def gcd_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of gcd."""
    def ge_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of ge."""
    def greater_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of greater."""
    def greater_equal_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of greater_equal."""
    def gt_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of gt."""
    def heaviside_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of heaviside."""
    def hypot_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of hypot."""
    def index_add_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of index_add."""
    def index_copy_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of index_copy."""
    def index_fill_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of index_fill."""
    def index_put_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of index_put."""
    def lcm_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of lcm."""
    def ldexp_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of ldexp."""
    def le_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of le."""
    def less_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of less."""
    def less_equal_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of less_equal."""
    def log10_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of log10."""
    def logical_and_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of logical_and."""
    def logical_not_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of logical_not."""
    def logical_or_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of logical_or."""
    def logical_xor_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of logical_xor."""
    def logit_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of logit."""
    def lt_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of lt."""
    def masked_fill_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of masked_fill."""
    def masked_scatter_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of masked_scatter."""
    def mvlgamma_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of mvlgamma."""
    def nan_to_num_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of nan_to_num."""
    def ne_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of ne."""
    def not_equal_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of not_equal."""
    def polygamma_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of polygamma."""
    def put_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of put."""
    def rad2deg_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of rad2deg."""
    def renorm_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of renorm."""
    def scatter_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of scatter."""
    def scatter_add_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of scatter_add."""
    def scatter_reduce_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of scatter_reduce."""
    def sinc_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of sinc."""
    def tril_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of tril."""
    def triu_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of triu."""
    def xlogy_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of xlogy."""
    def squeeze_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of squeeze: this object gets the new shape, other objects of the tensor keep
        theirs.
        """
    def swapaxes_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of swapaxes: this object gets the new shape, other objects of the tensor keep
        theirs.
        """
    def swapdims_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of swapdims: this object gets the new shape, other objects of the tensor keep
        theirs.
        """
    def t_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of t: this object gets the new shape, other objects of the tensor keep theirs.
        """
    def transpose_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of transpose: this object gets the new shape, other objects of the tensor keep
        theirs.
        """
    def unsqueeze_(self, *args: Any, **kwargs: Any) -> Tensor:
        """In-place version of unsqueeze: this object gets the new shape, other objects of the tensor keep
        theirs.
        """
    def resize_(self, *size: Any, memory_format: Any = None) -> Tensor:
        """Gives this object another shape: the first elements in row-major order and, if there are too few,
        zeros in new memory.
        """
    def resize_as_(self, the_template: Any, *, memory_format: Any = None) -> Tensor:
        """resize_() to the shape of another tensor."""
    def detach_(self) -> Tensor:
        """Detaches this object from its autograd graph; a leaf no longer requires grad."""
    def index_copy(self, dim: Any, index: Any, source: Any) -> Tensor:
        """Copy of x with slices along an axis replaced at the indices."""
    def index_fill(self, dim: Any, index: Any, value: Any) -> Tensor:
        """Copy of x with slices along an axis filled with a number at the indices."""
    def take_along_dim(self, indices: Any, dim: Any = None) -> Tensor:
        """Elements at indices along an axis, without one of the flattened tensor."""
    def masked_scatter(self, mask: Any, source: Any) -> Tensor:
        """Copy of x, broadcast with the mask, with the elements of `source`, in order, where the mask is
        true.
        """
    def put(self, index: Any, source: Any, accumulate: Any = False) -> Tensor:
        """Copy of x with values written, or added, at indices into its elements in row-major order."""
    def select_scatter(self, src: Any, dim: Any, index: Any) -> Tensor:
        """Copy of x with the slice at an index of an axis replaced."""
    def slice_scatter(self, src: Any, dim: Any = 0, start: Any = None, end: Any = None, step: Any = 1) -> Tensor:
        """Copy of x with the slice from start to end along an axis replaced."""
    def diagonal_scatter(self, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Tensor:
        """Copy of x with the diagonal of two axes replaced."""
    def index_put(self, indices: Any, values: Any, accumulate: Any = False) -> Tensor:
        """Copy of x with values written, or added, at the elements selected by a list of index tensors."""
    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any: ...
    def __array_namespace__(self, *, api_version: Any = None) -> Any: ...
    def __complex__(self) -> complex: ...
    def to_device(self, device: Any, *, stream: Any = None) -> Tensor:
        """Copy on a device."""
    def inner(self, other: Any) -> Tensor:
        """Sum of products over the last axes."""
    def vdot(self, other: Any) -> Tensor:
        """Dot product of vectors."""
    def addbmm(self, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta x + alpha times the sum of the products of a batch."""
    def addr(self, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta x + alpha times the outer product of two vectors."""
    def logdet(self) -> Tensor:
        """Logarithm of the determinant; NaN where it is negative."""
    def renorm(self, p: Any, dim: Any, maxnorm: Any) -> Tensor:
        """x with each slice along an axis scaled down to the p-norm maxnorm where its own is larger."""
    def cholesky_solve(self, L: Any, upper: Any = False) -> Tensor:
        """Solution of A X = B for A = L L^T, or U^T U if upper."""
    def cholesky_inverse(self, upper: Any = False) -> Tensor:
        """Inverse of A = L L^T, or U^T U if upper."""
    def matrix_exp(self) -> Tensor:
        """Matrix exponential; see gyre.linalg.matrix_exp."""
    def pinverse(self, rcond: Any = 1e-15) -> Tensor:
        """Moore-Penrose pseudoinverse; singular values up to rcond times the largest count as 0."""
    def uniform_(self, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None, **bounds: Any) -> Tensor:
        """Fills the tensor with uniform numbers in [from, to)."""
    def normal_(self, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
        """Fills the tensor with numbers from a normal distribution."""
    def exponential_(self, lambd: Any = 1.0, *, generator: Any = None) -> Tensor:
        """Fills the tensor with numbers from an exponential distribution with rate lambd."""
    def log_normal_(self, mean: Any = 1.0, std: Any = 2.0, *, generator: Any = None) -> Tensor:
        """Fills the tensor with numbers whose logarithm has a normal distribution."""
    def bernoulli_(self, p: Any = 0.5, *, generator: Any = None) -> Tensor:
        """Fills the tensor with 1 with probability p, else 0."""
    def geometric_(self, p: Any, *, generator: Any = None) -> Tensor:
        """Fills the tensor with numbers of trials until the first success, each with probability p."""
    def cauchy_(self, median: Any = 0.0, sigma: Any = 1.0, *, generator: Any = None) -> Tensor:
        """Fills the tensor with numbers from a Cauchy distribution."""
    def random_(self, from_: Any = 0, to: Any = None, *, generator: Any = None) -> Tensor:
        """Fills the tensor with uniform integers in [from, to); random_(to) counts from 0."""
    def multinomial(self, num_samples: Any, replacement: Any = False, *, generator: Any = None) -> Tensor:
        """Indices drawn with probabilities proportional to the rows of weights [..., n]."""
    def aminmax(self, *, dim: Any = None, keepdim: Any = False) -> builtins.tuple[Tensor, ...]:
        """Minimum and maximum, of all elements or along an axis."""
    def nanmedian(self, dim: Any = None, keepdim: Any = False) -> Any:
        """The lower median of the elements that are not NaN, of all or along an axis (values, indices)."""
    def msort(self) -> Tensor:
        """Values sorted along axis 0."""
    def dist(self, other: Any, p: Any = 2) -> Tensor:
        """p-norm of x - y."""
    def nansum(self, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Tensor:
        """Sum of the elements that are not NaN."""
    def nanmean(self, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Tensor:
        """Mean of the elements that are not NaN."""
    def count_nonzero(self, dim: Any = None) -> Tensor:
        """Number of nonzero elements, in all or over axes."""
    def nanquantile(self, q: Any, dim: Any = None, keepdim: Any = False, *, interpolation: Any = 'linear') -> Tensor:
        """Quantile of the elements that are not NaN, in all or along an axis."""
    def mode(self, dim: Any = -1, keepdim: Any = False) -> Any:
        """The most frequent value along an axis, the smallest of equals, and the index of its last
        occurrence.
        """
    def histc(self, bins: Any = 100, min: Any = 0, max: Any = 0) -> Tensor:
        """Counts in bins of equal width from min to max, the last closed; min = max = 0 takes those of the
        data.
        """
    def histogram(self, bins: Any = 10, *, range: Any = None, weight: Any = None, density: Any = False) -> Any:
        """Counts in bins and their edges. `bins` is a number of bins of equal width over `range` (by
        default that of the data), or a tensor of edges; the last bin is closed.
        """
    def unique_consecutive(self, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
        """Values without repeats of the one before, on request with the index of each element and the
        counts. Along an axis: slices.
        """
    def equal(self, other: Any) -> builtins.bool:
        """Whether both have the same shape and elements: a bool."""
    def allclose(self, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> builtins.bool:
        """Whether all elements are equal within tolerances: a bool."""
    def argwhere(self) -> Tensor:
        """Indices of the nonzero elements [n, axes]."""
    def isin(self, test_elements: Any, *, assume_unique: Any = False, invert: Any = False) -> Tensor:
        """Whether each element is one of the test elements."""
    def diff(self, n: Any = 1, dim: Any = -1, prepend: Any = None, append: Any = None, *, axis: Any = None) -> Tensor:
        """n-th difference along an axis."""
    def cov(self, *, correction: Any = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
        """Covariance matrix of variables (rows) over observations (columns)."""
    def corrcoef(self) -> Tensor:
        """Correlation matrix of variables (rows) over observations (columns)."""
    def cummax(self, dim: Any) -> builtins.tuple[Tensor, Tensor]:
        """Maximum of the elements so far along an axis, and its index, of equals the last: (values,
        indices).
        """
    def cummin(self, dim: Any) -> builtins.tuple[Tensor, Tensor]:
        """Minimum of the elements so far along an axis, and its index, of equals the last: (values,
        indices).
        """
    def logcumsumexp(self, dim: Any) -> Tensor:
        """log(cumsum(exp(x))) along an axis, without overflow."""
    def type(self, dtype: Any = None) -> Any:
        """Name of the dtype; with a dtype, also as gyre.FloatTensor or "torch.FloatTensor", the tensor
        converted to it.
        """
    def type_as(self, other: Any) -> Tensor:
        """Converted to the dtype and device of another tensor."""
    def element_size(self) -> builtins.int:
        """Bytes per element."""
    def ndimension(self) -> builtins.int:
        """Number of axes."""
    def nelement(self) -> builtins.int:
        """Number of elements."""
    def cuda(self, device: Any = None, non_blocking: Any = False) -> Tensor:
        """Copy on a CUDA device."""
    def is_complex(self) -> builtins.bool:
        """False: there are no complex dtypes."""
    def is_nonzero(self) -> builtins.bool:
        """Whether a tensor of one element is not 0."""
    def is_same_size(self, other: Any) -> builtins.bool:
        """Whether another tensor has the same shape."""
    def get_device(self) -> builtins.int:
        """Number of the GPU that has the tensor, -1 on the CPU."""
    def sum_to_size(self, *size: Any) -> Tensor:
        """Sum over the axes along which a tensor of this shape would be broadcast to that of x."""
    def is_signed(self) -> builtins.bool:
        """Whether the dtype has negative numbers."""
    def apply_(self, function: Any) -> Tensor:
        """Applies a Python function to every element in place."""
    def t(self) -> Tensor:
        """Matrix transpose; a vector as it is."""
    def unflatten(self, dim: Any, sizes: Any) -> Tensor:
        """Splits an axis into axes of these sizes, one of which may be -1."""
    def view_as(self, other: Any) -> Tensor:
        """View with the shape of `other`."""
    def reshape_as(self, other: Any) -> Tensor:
        """The same elements with the shape of `other`."""
    def expand_as(self, other: Any) -> Tensor:
        """Broadcast to the shape of `other`."""
    def movedim(self, source: Any, destination: Any) -> Tensor:
        """Moves axes to other positions; the others keep their order."""
    def moveaxis(self, source: Any, destination: Any) -> Tensor:
        """Same as movedim."""
    def unbind(self, dim: Any = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
        """Slices along an axis, as a tuple of views without it."""
    def split_with_sizes(self, split_sizes: Any, dim: Any = 0) -> Tensor:
        """Parts of these sizes along an axis, as views."""
    def tensor_split(self, indices_or_sections: Any, dim: Any = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
        """Parts along an axis, as views: that many of nearly equal size, or between the indices of a list.
        """
    def hsplit(self, indices_or_sections: Any) -> Any:
        """Equal parts along axis 0 (0 of a vector), or between indices."""
    def vsplit(self, indices_or_sections: Any) -> Any:
        """Equal parts along axis 1, or between indices."""
    def dsplit(self, indices_or_sections: Any) -> Any:
        """Equal parts along axis 2, or between indices."""
    def rot90(self, k: Any = 1, dims: Any = (0, 1)) -> Tensor:
        """Rotates the plane of two axes by 90 degrees k times, from the first towards the second."""
    def fliplr(self) -> Tensor:
        """Reverses axis 1."""
    def flipud(self) -> Tensor:
        """Reverses axis 0."""
    def repeat(self, *repeats: Any, axis: Any = None) -> Tensor:
        """Repeats the tensor along each axis, as tile(); repeat(n, axis=k), as in NumPy, repeats each slice
        along an axis.
        """
    def narrow(self, dim: Any, start: Any, length: Any) -> Tensor:
        """View of `length` indices along an axis, from `start`."""
    def diag(self, diagonal: Any = 0) -> Tensor:
        """Diagonal of a matrix, or the matrix with a vector on its diagonal."""
    def diagflat(self, offset: Any = 0) -> Tensor:
        """Matrix with the flattened tensor on its diagonal."""
    def fill_diagonal_(self, fill_value: Any, wrap: Any = False) -> Tensor:
        """Sets the elements whose indices are all equal to a number, in place."""
    def adjoint(self) -> Tensor:
        """Matrix transpose of the last two axes."""
    def polygamma(self, n: Any) -> Tensor:
        """The n-th derivative of digamma at the elements, n >= 0."""
    def mvlgamma(self, p: Any) -> Tensor:
        """multigammaln()."""
    @property
    def imag(self) -> Any:
        """zeros, since there are no complex dtypes"""
    @property
    def flat(self) -> Any:
        """the elements in order: x.flat[3] = 1, for e in x.flat"""
    @flat.setter
    def flat(self, value: Any) -> None: ...
    @property
    def data(self) -> Tensor:
        """A tensor that shares the memory, detached from the autograd graph."""
    @property
    def is_cuda(self) -> Any:
        """whether the tensor is on a CUDA device"""
    @property
    def is_cpu(self) -> Any:
        """whether the tensor is on the CPU"""
    @property
    def is_sparse(self) -> Any:
        """False: tensors are dense"""
    @property
    def real(self) -> Any:
        """the tensor itself, since there are no complex dtypes"""
    @property
    def H(self) -> Any:
        """matrix transpose"""
    @property
    def mH(self) -> Any:
        """matrix transpose of the last two axes"""
    def __add__(self, other: TensorLike, /) -> Tensor: ...
    def __radd__(self, other: TensorLike, /) -> Tensor: ...
    def __iadd__(self, other: TensorLike, /) -> Tensor: ...
    def __sub__(self, other: TensorLike, /) -> Tensor: ...
    def __rsub__(self, other: TensorLike, /) -> Tensor: ...
    def __isub__(self, other: TensorLike, /) -> Tensor: ...
    def __mul__(self, other: TensorLike, /) -> Tensor: ...
    def __rmul__(self, other: TensorLike, /) -> Tensor: ...
    def __imul__(self, other: TensorLike, /) -> Tensor: ...
    def __truediv__(self, other: TensorLike, /) -> Tensor: ...
    def __rtruediv__(self, other: TensorLike, /) -> Tensor: ...
    def __itruediv__(self, other: TensorLike, /) -> Tensor: ...
    def __floordiv__(self, other: TensorLike, /) -> Tensor: ...
    def __rfloordiv__(self, other: TensorLike, /) -> Tensor: ...
    def __ifloordiv__(self, other: TensorLike, /) -> Tensor: ...
    def __mod__(self, other: TensorLike, /) -> Tensor: ...
    def __rmod__(self, other: TensorLike, /) -> Tensor: ...
    def __imod__(self, other: TensorLike, /) -> Tensor: ...
    def __pow__(self, other: TensorLike, /) -> Tensor: ...
    def __rpow__(self, other: TensorLike, /) -> Tensor: ...
    def __ipow__(self, other: TensorLike, /) -> Tensor: ...
    def __matmul__(self, other: TensorLike, /) -> Tensor: ...
    def __rmatmul__(self, other: TensorLike, /) -> Tensor: ...
    def __and__(self, other: TensorLike, /) -> Tensor: ...
    def __rand__(self, other: TensorLike, /) -> Tensor: ...
    def __iand__(self, other: TensorLike, /) -> Tensor: ...
    def __or__(self, other: TensorLike, /) -> Tensor: ...
    def __ror__(self, other: TensorLike, /) -> Tensor: ...
    def __ior__(self, other: TensorLike, /) -> Tensor: ...
    def __xor__(self, other: TensorLike, /) -> Tensor: ...
    def __rxor__(self, other: TensorLike, /) -> Tensor: ...
    def __ixor__(self, other: TensorLike, /) -> Tensor: ...
    def __lshift__(self, other: TensorLike, /) -> Tensor: ...
    def __rlshift__(self, other: TensorLike, /) -> Tensor: ...
    def __ilshift__(self, other: TensorLike, /) -> Tensor: ...
    def __rshift__(self, other: TensorLike, /) -> Tensor: ...
    def __rrshift__(self, other: TensorLike, /) -> Tensor: ...
    def __irshift__(self, other: TensorLike, /) -> Tensor: ...
    def __lt__(self, other: TensorLike, /) -> Tensor: ...
    def __le__(self, other: TensorLike, /) -> Tensor: ...
    def __gt__(self, other: TensorLike, /) -> Tensor: ...
    def __ge__(self, other: TensorLike, /) -> Tensor: ...
    def __eq__(self, other: builtins.object, /) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: builtins.object, /) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __divmod__(self, other: TensorLike, /) -> builtins.tuple[Tensor, Tensor]: ...
    def __rdivmod__(self, other: TensorLike, /) -> builtins.tuple[Tensor, Tensor]: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[Tensor]: ...
    def __getitem__(self, key: Any, /) -> Tensor: ...
    def __setitem__(self, key: Any, value: TensorLike, /) -> None: ...
    def __buffer__(self, flags: builtins.int, /) -> memoryview: ...
class GraphNode:
    """A recorded call in the graph of autograd."""
    def name(self) -> builtins.str:
        """The name of the op; "accumulate_grad" for a leaf."""
    @property
    def next_functions(self) -> builtins.tuple[builtins.tuple[GraphNode | None, builtins.int], ...]:
        """for each operand the call that it is a result of, None if it needs no gradient, and the number of
        that result; empty after a backward pass
        """
    @property
    def variable(self) -> Tensor | None:
        """the leaf that a gradient is accumulated in; None for a call"""
    def __repr__(self) -> builtins.str: ...
    def __eq__(self, arg: builtins.object, /) -> builtins.bool: ...
    def __hash__(self) -> builtins.int: ...
_tensor_of_pickle: Any
def tensor(data: TensorLike, dtype: DTypeLike | None = None, device: typing.Any = None, requires_grad: builtins.bool = False) -> Tensor:
    """A copy of an array, a number or nested lists of numbers, with its own dtype."""
return_types: Any
class Op:
    @property
    def name(self) -> builtins.str:
        """name of the op"""
    @property
    def doc(self) -> builtins.str:
        """one-line description"""
    @property
    def arguments(self) -> builtins.list[builtins.dict[builtins.str, Any]]:
        """tensor arguments: dicts of name, optional, variadic, differentiable, also (alternative names), packed (whether it takes packed weights as they are)"""
    @property
    def attributes(self) -> builtins.list[builtins.dict[builtins.str, Any]]:
        """attributes: dicts of name, type, default, doc, choices, also (alternative names), takes_all_numbers"""
    @property
    def keywords(self) -> builtins.dict[builtins.str, Any]:
        """keywords besides arguments and attributes, with their defaults"""
    @property
    def takes_all_axes(self) -> builtins.bool:
        """whether calls may give all axes, one by one or as a list"""
    @property
    def dtypes(self) -> builtins.list[DType]:
        """dtypes that the op takes for floating-point tensors, or for integers where it takes no floats"""
    @property
    def outputs(self) -> builtins.int:
        """number of results; 0: variable"""
    @property
    def kept(self) -> builtins.int:
        """number of additional results saved only for backward"""
    @property
    def reads(self) -> builtins.tuple[Any, ...]:
        """inputs and results that the backward rule reads: a bit mask whose last bit covers all the rest"""
    @property
    def differentiable(self) -> builtins.bool:
        """whether the op is differentiable"""
    @property
    def ulp(self) -> builtins.float:
        """error bound in units in the last place (ULP)"""
    @property
    def by_element(self) -> builtins.bool:
        """whether the error bound holds for each element, not only for the norm"""
    @property
    def family(self) -> builtins.str:
        """"elementwise", "row", "reduction" or """""
    @property
    def random(self) -> builtins.bool:
        """whether the op draws random numbers"""
    def __call__(self, *args: Any, **attributes: Any) -> Any: ...
    def samples(self, dtype: DTypeLike = ..., seed: builtins.int = ..., extremes: builtins.bool = ...) -> builtins.list[builtins.tuple[builtins.tuple[Tensor | None, ...], builtins.dict[builtins.str, Any]]]: ...
def zeros(*shape: ShapeLike | DTypeLike, dtype: DTypeLike | None = None, device: builtins.str | device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Tensor of zeros with the given shape; f32 by default."""
def ones(*shape: ShapeLike | DTypeLike, dtype: DTypeLike | None = None, device: builtins.str | device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Tensor of ones with the given shape; f32 by default."""
def empty(*shape: ShapeLike | DTypeLike, dtype: DTypeLike | None = None, device: builtins.str | device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Uninitialised tensor with the given shape; f32 by default."""
def zeros_like(input: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False, memory_format: Any = None) -> Tensor:
    """zeros() of the shape, dtype and device of a tensor."""
def ones_like(input: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False, memory_format: Any = None) -> Tensor:
    """ones() of the shape, dtype and device of a tensor."""
def empty_like(input: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False, memory_format: Any = None) -> Tensor:
    """empty() of the shape, dtype and device of a tensor."""
def full(shape: ShapeLike, value: TensorLike, dtype: DTypeLike | None = None, device: builtins.str | device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Tensor filled with `value`; by default f32 for a float, i64 for an int, boolean for a bool."""
def arange(start: Any, end: Any = None, step: Any = 1, dtype: Any = None, device: Any = None, requires_grad: Any = False, *, stop: Any = None) -> Tensor:
    """Evenly spaced values start, start + step, ... below the end; arange(n) counts from 0 to n - 1.
    i64 for ints, else f32.
    """
def linspace(start: Any, end: Any = None, steps: Any = None, dtype: Any = None, device: Any = None, requires_grad: Any = False, *, stop: Any = None, count: Any = None) -> Tensor:
    """`steps` evenly spaced numbers from start to end, both included."""
def eye(n: Any, m: Any = None, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """Matrix with ones on the diagonal and zeros elsewhere."""
def asarray(data: TensorLike, dtype: DTypeLike | None = None, *, device: builtins.str | device | None = None, copy: builtins.bool = False) -> Tensor:
    """Converts to a tensor, as functions do with their arguments: shares the memory of writable arrays
    and copies others.
    """
def from_numpy(array: typing.Any) -> Tensor:
    """Tensor that shares the memory of a NumPy array."""
def from_torch(tensor: typing.Any) -> Tensor:
    """Tensor that shares the memory of a PyTorch tensor, detached from its autograd graph."""
def from_dlpack(array: typing.Any) -> Tensor:
    """Tensor that shares the memory of an object with __dlpack__ or the buffer protocol."""
def manual_seed(seed: builtins.int) -> None:
    """Seeds the random number generator of this thread."""
def get_rng_state() -> Tensor:
    """State of the random number generator of this thread, from which dropout and other random ops
    draw: a tensor to save in a checkpoint.
    """
def set_rng_state(state: TensorLike) -> None:
    """Sets the random number generator of this thread to a state of get_rng_state(), so that it draws
    the same numbers as after that call.
    """
def backward(tensors: TensorLike | collections.abc.Iterable[TensorLike], grad_tensors: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, retain_graph: builtins.bool | None = None, create_graph: builtins.bool = False, inputs: Tensor | collections.abc.Iterable[Tensor] | None = None, *, cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None) -> None:
    """Accumulates the gradients of sum(tensors[i] * grad_tensors[i]) into the grad of the leaves, or of
    `inputs` only. `cotangents` is another name of grad_tensors.
    """
def grad(outputs: TensorLike | collections.abc.Iterable[TensorLike], inputs: Tensor | collections.abc.Iterable[Tensor], grad_outputs: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, retain_graph: builtins.bool | None = None, create_graph: builtins.bool = False, only_inputs: builtins.bool = True, allow_unused: builtins.bool | None = None, is_grads_batched: builtins.bool = False, materialize_grads: builtins.bool = False, *, cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None) -> builtins.tuple[Any, ...]:
    """Gradients of sum(outputs[i] * grad_outputs[i]) with respect to inputs, a tuple. Of inputs that do
    not take part they are None if allow_unused, 0 if materialize_grads. `cotangents` is another name of
    grad_outputs.
    """
def is_grad_enabled() -> builtins.bool:
    """Whether autograd records ops on this thread."""
class GradMode:
    """Context manager that enables or disables autograd recording."""
    def __enter__(self) -> None: ...
    def __exit__(self, kind: builtins.object, value: builtins.object, trace: builtins.object, /) -> None: ...
    def __call__(self, function: typing.Any) -> typing.Any:
        """Decorator: a function that runs in this mode."""
def no_grad(function: typing.Any = None) -> typing.Any:
    """Context manager and decorator that disables autograd recording: `with gyre.no_grad():`."""
def enable_grad(function: typing.Any = None) -> typing.Any:
    """Context manager and decorator that enables autograd recording inside no_grad()."""
class OverflowScope:
    """Context manager that sets the overflow mode."""
    def __enter__(self) -> None: ...
    def __exit__(self, kind: builtins.object, value: builtins.object, trace: builtins.object, /) -> None: ...
    def __call__(self, function: typing.Any) -> typing.Any:
        """Decorator: a function that runs in this mode."""
def overflow(mode: typing.Literal['ieee', 'error']) -> OverflowScope:
    """Context manager that sets the overflow mode of the thread: with "error", an op whose results are
    not finite although its operands are raises NumericError naming the op and the element; with "ieee",
    the default, it returns them.
    """
_transforms: Any
class CustomFunction:
    """A callable with its own backward function."""
    def __call__(self, *args: TensorLike | None) -> typing.Any: ...
def custom_function(forward: collections.abc.Callable[..., typing.Any], backward: collections.abc.Callable[..., typing.Any], visible: builtins.int = 0) -> CustomFunction:
    """A differentiable callable with a custom gradient, like torch.autograd.Function: forward(*inputs)
    returns one or more tensors; backward(inputs, results, cotangents) returns a cotangent for each
    input, None for zero. Results after the first `visible` (0: all are visible) are only saved for
    backward.
    """
def _register_op(name: builtins.str, forward: typing.Any, backward: typing.Any, doc: builtins.str, arguments: collections.abc.Sequence[builtins.str], packed: collections.abc.Sequence[builtins.str]) -> Op: ...
class GradcheckReport:
    """Report of gradcheck: true if the gradients agree; str() gives the details."""
    @property
    def passed(self) -> builtins.bool: ...
    def __bool__(self) -> builtins.bool: ...
    def __repr__(self) -> builtins.str: ...
def gradcheck(f: collections.abc.Callable[..., typing.Any], inputs: TensorLike | collections.abc.Iterable[TensorLike], *, second: builtins.bool = False, half: builtins.bool = False, eps: builtins.float = 1e-6, rtol: builtins.float = 1e-6, atol: builtins.float = 1e-8, differences: typing.Literal['central', 'forward', 'backward'] = 'central', jacobian: builtins.int = 8, both_passes: builtins.bool = True, verbose: builtins.bool = False) -> GradcheckReport:
    """Checks the gradients of f(*inputs) against finite differences in f64, for the inputs that require
    gradients (`second`: also second derivatives). A gradient a and a difference n agree when |a - n| <=
    atol + rtol |n|. `half` is for gradients computed in f16 or bf16: eps and rtol are then 0.01 and
    atol 0.001 by default. `differences` of one side are for functions that end or have a kink at the
    inputs. With up to `jacobian` output elements the whole Jacobian is checked, with more one random
    linear combination of them; `both_passes` also checks the pass of create_graph, `verbose` prints the
    report. Returns a GradcheckReport.
    """
class CheckpointBudget:
    """Memory budget in bytes, shared by checkpoints: CheckpointBudget(bytes). While their intermediate values fit, nothing is recomputed; beyond that, the values with the least compute time per byte are dropped first. For use on one thread."""
    def __init__(self, bytes: builtins.int) -> None: ...
    @property
    def kept(self) -> builtins.int:
        """Bytes currently kept."""
    @property
    def dropped(self) -> builtins.int:
        """How often the values of a checkpoint were dropped."""
def checkpoint(function: collections.abc.Callable[..., typing.Any], *inputs: typing.Any, budget: CheckpointBudget | None = None) -> typing.Any:
    """Gradient checkpointing: computes function(*inputs) and keeps only the inputs for backward, which
    runs the function again with the same random numbers. The function must be deterministic otherwise.
    Gradients equal those of function(*inputs) bit for bit, to any order. With a budget, intermediate
    values are kept while they fit.
    """
class EinsumStep:
    """One step of an einsum."""
    @property
    def kind(self) -> builtins.str:
        """"view": permutation, diagonal or squeeze; "sum": sum over axes of one operand; "pointwise":
        broadcasting product; "product": batched matrix product
        """
    @property
    def operands(self) -> builtins.list[builtins.int]:
        """operands of the call, then results of earlier steps"""
    @property
    def spec(self) -> builtins.str:
        """einsum spec of the step; axes of an ellipsis have their own letters"""
    @property
    def flops(self) -> builtins.float:
        """number of multiplications and additions"""
    @property
    def bytes(self) -> builtins.float:
        """bytes of the result"""
    def __repr__(self) -> builtins.str: ...
class EinsumPath:
    """Contraction order of an einsum; str() gives a table."""
    @property
    def steps(self) -> builtins.list[EinsumStep]: ...
    @property
    def flops(self) -> builtins.float:
        """FLOPs of all steps"""
    @property
    def naive_flops(self) -> builtins.float:
        """FLOPs of a single loop over all indices"""
    @property
    def bytes(self) -> builtins.float:
        """bytes of all intermediate results"""
    def __repr__(self) -> builtins.str: ...
def einsum_path(spec: builtins.str, *tensors: TensorLike) -> EinsumPath:
    """Contraction path of einsum(spec, *tensors) with the fewest FLOPs: the steps and the cost of each.
    Computes nothing.
    """
_torch: Any
def save(obj: Any, f: builtins.str | builtins.bytes | os.PathLike[builtins.str] | typing.IO[builtins.bytes], *, metadata: collections.abc.Mapping[builtins.str, builtins.str] | None = None, compressed: builtins.bool = False) -> None:
    """Saves an object to a file: a path, or an object with write(). The suffix of a path selects the
    format: .safetensors (a builtins.dict of tensors, also packed weights; `metadata`: a builtins.dict of builtins.str), .npz (a
    dict of tensors; `compressed`) or .npy (one tensor). Others, and file objects, have PyTorch's
    format, which torch.load reads: of dicts, lists, tuples, sets, texts, bytes, numbers, None, dtypes,
    devices, tensors and parameters. Files are replaced atomically. save(path, tensors) is the same as
    save(tensors, path).
    """
def load(f: builtins.str | builtins.bytes | os.PathLike[builtins.str] | typing.IO[builtins.bytes], map_location: builtins.str | device | None = None, *, weights_only: builtins.bool = True, verify: builtins.bool = True, mmap: builtins.bool = False) -> Any:
    """Loads what save() or torch.save() wrote to a path or a binary file: a dict of tensors from a
    .safetensors, .npz or .gguf file (whose quantised tensors become f32), the tensor of an .npy file,
    and the object of others. `map_location`: the device of the tensors, by default that which they had.
    Files cannot run code, whatever `weights_only` is: of classes that save() does not write, load()
    raises ParseError.
    """
def load_metadata(file: builtins.str | os.PathLike[builtins.str]) -> builtins.dict[builtins.str, builtins.str]:
    """Metadata of a .safetensors file."""
def add(x: TensorLike, y: TensorLike, *, alpha: Any = 1) -> Tensor:
    """x + y"""
def sub(x: TensorLike, y: TensorLike, *, alpha: Any = 1) -> Tensor:
    """x - y"""
def mul(x: TensorLike, y: TensorLike) -> Tensor:
    """x * y"""
def div(x: TensorLike, y: TensorLike, *, rounding_mode: Any = None) -> Tensor:
    """x / y"""
def pow(x: TensorLike, y: TensorLike) -> Tensor:
    """power: x ** y"""
def maximum(x: TensorLike, y: TensorLike) -> Tensor:
    """elementwise maximum; propagates NaN"""
def minimum(x: TensorLike, y: TensorLike) -> Tensor:
    """elementwise minimum; propagates NaN"""
def atan2(y: TensorLike, x: TensorLike) -> Tensor:
    """angle of the point (x, y) in radians, in [-pi, pi]"""
def logaddexp(x: TensorLike, y: TensorLike) -> Tensor:
    """log(e^x + e^y)"""
def fmod(x: TensorLike, y: TensorLike) -> Tensor:
    """remainder of truncated division, with the sign of x (C fmod)"""
def remainder(x: TensorLike, y: TensorLike) -> Tensor:
    """remainder of floor division, with the sign of y (Python %)"""
def floor_divide(x: TensorLike, y: TensorLike) -> Tensor:
    """floor division: floor(x / y)"""
def eq(x: TensorLike, y: TensorLike) -> Tensor:
    """x == y"""
def ne(x: TensorLike, y: TensorLike) -> Tensor:
    """x != y"""
def lt(x: TensorLike, y: TensorLike) -> Tensor:
    """x < y"""
def le(x: TensorLike, y: TensorLike) -> Tensor:
    """x <= y"""
def gt(x: TensorLike, y: TensorLike) -> Tensor:
    """x > y"""
def ge(x: TensorLike, y: TensorLike) -> Tensor:
    """x >= y"""
def logical_and(x: TensorLike, y: TensorLike) -> Tensor:
    """logical AND"""
def logical_or(x: TensorLike, y: TensorLike) -> Tensor:
    """logical OR"""
def logical_xor(x: TensorLike, y: TensorLike) -> Tensor:
    """logical XOR"""
def logical_not(x: TensorLike) -> Tensor:
    """logical NOT"""
def isnan(x: TensorLike) -> Tensor:
    """true where x is NaN"""
def isinf(x: TensorLike) -> Tensor:
    """true where x is infinite"""
def isfinite(x: TensorLike) -> Tensor:
    """true where x is finite"""
def bitwise_and(x: TensorLike, y: TensorLike) -> Tensor:
    """bitwise AND"""
def bitwise_or(x: TensorLike, y: TensorLike) -> Tensor:
    """bitwise OR"""
def bitwise_xor(x: TensorLike, y: TensorLike) -> Tensor:
    """bitwise XOR"""
def bitwise_not(x: TensorLike) -> Tensor:
    """bitwise NOT; logical NOT for boolean"""
def isclose(x: TensorLike, y: TensorLike, rtol: SupportsFloat = 1e-05, atol: SupportsFloat = 1e-08, equal_nan: builtins.bool = False, *, rcond: SupportsFloat = 1e-05) -> Tensor:
    """whether x and y are equal within tolerances"""
def nan_to_num(x: TensorLike, nan: SupportsFloat = 0.0, posinf: SupportsFloat = 1.7976931348623157e+308, neginf: SupportsFloat = -1.7976931348623157e+308) -> Tensor:
    """replace NaN and infinities by numbers"""
def shift_left(x: TensorLike, y: TensorLike) -> Tensor:
    """left shift of integers: x 2^y"""
def shift_right(x: TensorLike, y: TensorLike) -> Tensor:
    """right shift of integers: floor(x / 2^y)"""
def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Elements of `input` where condition is true, else of `other`; given only a condition, the indices
    of its true elements, a tensor for each axis. Of two numbers floats give f32.
    """
def clamp(input: Any, min: Any = None, max: Any = None) -> Tensor:
    """min(max(x, min), max); a bound that is None does not apply."""
def lerp(x: TensorLike, y: TensorLike, weight: TensorLike) -> Tensor:
    """linear interpolation: x + weight (y - x)"""
def neg(x: TensorLike) -> Tensor:
    """-x"""
def abs(x: TensorLike) -> Tensor:
    """absolute value"""
def sign(x: TensorLike) -> Tensor:
    """sign of x: -1, 0 or 1"""
def floor(x: TensorLike) -> Tensor:
    """floor: round down"""
def ceil(x: TensorLike) -> Tensor:
    """ceiling: round up"""
def round(input: Any, decimals: Any = 0) -> Tensor:
    """x rounded to the nearest multiple of 10 ** -decimals, ties to even."""
def trunc(x: TensorLike) -> Tensor:
    """truncate: round towards zero"""
def square(x: TensorLike) -> Tensor:
    """square: x^2"""
def reciprocal(x: TensorLike) -> Tensor:
    """1 / x"""
def exp(x: TensorLike) -> Tensor:
    """exponential: e^x"""
def exp2(x: TensorLike) -> Tensor:
    """2^x"""
def expm1(x: TensorLike) -> Tensor:
    """e^x - 1, accurate near 0"""
def log(x: TensorLike) -> Tensor:
    """natural logarithm"""
def log1p(x: TensorLike) -> Tensor:
    """log(1 + x), accurate near 0"""
def log2(x: TensorLike) -> Tensor:
    """logarithm to base 2"""
def sqrt(x: TensorLike) -> Tensor:
    """square root"""
def rsqrt(x: TensorLike) -> Tensor:
    """reciprocal square root: 1 / sqrt(x)"""
def sin(x: TensorLike) -> Tensor:
    """sine of x in radians"""
def cos(x: TensorLike) -> Tensor:
    """cosine of x in radians"""
def tan(x: TensorLike) -> Tensor:
    """tangent of x in radians"""
def asin(x: TensorLike) -> Tensor:
    """arcsine in radians"""
def acos(x: TensorLike) -> Tensor:
    """arccosine in radians"""
def atan(x: TensorLike) -> Tensor:
    """arctangent in radians"""
def sinh(x: TensorLike) -> Tensor:
    """hyperbolic sine"""
def cosh(x: TensorLike) -> Tensor:
    """hyperbolic cosine"""
def tanh(x: TensorLike) -> Tensor:
    """hyperbolic tangent"""
def asinh(x: TensorLike) -> Tensor:
    """inverse hyperbolic sine"""
def acosh(x: TensorLike) -> Tensor:
    """inverse hyperbolic cosine"""
def atanh(x: TensorLike) -> Tensor:
    """inverse hyperbolic tangent"""
def erf(x: TensorLike) -> Tensor:
    """error function"""
def erfc(x: TensorLike) -> Tensor:
    """complementary error function: 1 - erf(x)"""
def erfinv(x: TensorLike) -> Tensor:
    """inverse error function: erf(erfinv(x)) = x, -1 < x < 1"""
def lgamma(x: TensorLike) -> Tensor:
    """logarithm of the absolute value of the gamma function"""
def digamma(x: TensorLike) -> Tensor:
    """derivative of lgamma"""
def zeta(s: TensorLike, q: TensorLike) -> Tensor:
    """Hurwitz zeta function: the sum of (q + k)^-s over k = 0, 1, ..."""
def sigmoid(x: TensorLike) -> Tensor:
    """logistic sigmoid: 1 / (1 + e^-x)"""
def softplus(x: TensorLike) -> Tensor:
    """log(1 + e^x)"""
def relu(x: TensorLike) -> Tensor:
    """rectified linear unit: max(x, 0)"""
def relu_squared(x: TensorLike) -> Tensor:
    """squared ReLU: max(x, 0)^2"""
def gelu(x: TensorLike) -> Tensor:
    """Gaussian error linear unit: x Phi(x), Phi = standard normal CDF"""
def gelu_tanh(x: TensorLike) -> Tensor:
    """tanh approximation of gelu"""
def silu(x: TensorLike) -> Tensor:
    """SiLU (swish): x sigmoid(x)"""
def leaky_relu(x: TensorLike, slope: TensorLike | None = 0.01) -> Tensor:
    """leaky ReLU: x if x > 0, else slope * x"""
def elu(x: TensorLike, alpha: TensorLike | None = 1) -> Tensor:
    """exponential linear unit: x if x > 0, else alpha (e^x - 1)"""
def add_relu(x: TensorLike, y: TensorLike) -> Tensor:
    """fused relu(x + y)"""
def mul_relu(x: TensorLike, y: TensorLike) -> Tensor:
    """fused relu(x y)"""
def affine(x: TensorLike, scale: TensorLike, bias: TensorLike) -> Tensor:
    """fused x * scale + bias"""
def sum(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False, dtype: Any = None) -> Tensor:
    """sum over axes"""
def mean(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False, dtype: Any = None) -> Tensor:
    """mean over axes"""
def prod(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False, dtype: Any = None) -> Tensor:
    """product over axes"""
def max(input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, axes: Any = None, keepdims: Any = None, other: Any = None, out: Any = None, initial: Any = None, where: Any = None) -> Any:
    """Maximum of all elements; along `dim`, as in PyTorch, (values, indices), of which the first of
    equals gets the gradient; over `axis` (one or several), as in NumPy, the values; with another
    tensor, elementwise.
    """
def min(input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, axes: Any = None, keepdims: Any = None, other: Any = None, out: Any = None, initial: Any = None, where: Any = None) -> Any:
    """Minimum of all elements; along `dim`, as in PyTorch, (values, indices), of which the first of
    equals gets the gradient; over `axis` (one or several), as in NumPy, the values; with another
    tensor, elementwise.
    """
def any(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
    """true if any element is nonzero, over axes"""
def all(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
    """true if all elements are nonzero, over axes"""
def argmax(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
    """index of the maximum; the first of equal elements"""
def argmin(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
    """index of the minimum; the first of equal elements"""
def var_rows(x: TensorLike, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
    """variance along one axis"""
def std_rows(x: TensorLike, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
    """standard deviation along one axis"""
def norm_rows(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Euclidean norm along one axis"""
def var(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None, axis: Any = None, axes: Any = None, ddof: Any = None, keepdims: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """variance over axes; divided by n - correction, which is 1 by default, as in PyTorch; over `axis`
    without correction n, as in NumPy.
    """
def std(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None, axis: Any = None, axes: Any = None, ddof: Any = None, keepdims: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """standard deviation over axes; divided by n - correction, which is 1 by default, as in PyTorch;
    over `axis` without correction n, as in NumPy.
    """
def norm(input: Any, p: Any = 'fro', dim: Any = None, keepdim: Any = False, dtype: Any = None, *, axis: Any = None, axes: Any = None, keepdims: Any = None) -> Tensor:
    """p-norm of all elements or over axes; "fro": Euclidean, "nuc": sum of the singular values of
    matrices.
    """
def cumsum(input: Any, dim: Any = None, reverse: Any = False, *, axis: Any = None, dtype: Any = None) -> Tensor:
    """cumulative sum along an axis; without one of the flattened tensor, as in NumPy."""
def cumprod(input: Any, dim: Any = None, reverse: Any = False, *, axis: Any = None, dtype: Any = None) -> Tensor:
    """cumulative product along an axis; without one of the flattened tensor, as in NumPy."""
def linear_recurrence(a: TensorLike, b: TensorLike, axis: SupportsIndex = -1, reverse: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """first-order linear recurrence along an axis: y_k = a_k y_(k-1) + b_k, y_(-1) = 0"""
@overload
def reshape(x: TensorLike, shape: ShapeLike | None = (), *, size: ShapeLike | None = (), order: Any = 'C') -> Tensor:
    """same elements in row-major order, new shape"""
@overload
def reshape(x: TensorLike, *shape: SupportsIndex, size: ShapeLike | None = (), order: Any = 'C') -> Tensor:
    """same elements in row-major order, new shape"""
@overload
def permute(x: TensorLike, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = ()) -> Tensor:
    """permute axes"""
@overload
def permute(x: TensorLike, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = ()) -> Tensor:
    """permute axes"""
@overload
def transpose(x: TensorLike, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, *, dim0: SupportsIndex = -2, dim1: SupportsIndex = -1) -> Tensor:
    """swap two axes"""
@overload
def transpose(x: TensorLike, *axes: Any) -> Tensor:
    """swap two axes"""
@overload
def expand(x: TensorLike, shape: ShapeLike | None = (), *, size: ShapeLike | None = ()) -> Tensor:
    """broadcast to a larger shape, as a view"""
@overload
def expand(x: TensorLike, *shape: SupportsIndex, size: ShapeLike | None = ()) -> Tensor:
    """broadcast to a larger shape, as a view"""
def squeeze(input: Any, dim: Any = None, *, axis: Any = None, axes: Any = None) -> Tensor:
    """Removes axes of size 1, or only those of `dim`. As in PyTorch, an axis of `dim` with another size
    stays; an axis of `axis` must have size 1, as in NumPy.
    """
def unsqueeze(x: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
    """insert an axis of size 1"""
def slice(x: TensorLike, axis: SupportsIndex = 0, start: SupportsIndex = 0, stop: SupportsIndex = 9223372036854775807, step: SupportsIndex = 1, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0, end: SupportsIndex = 9223372036854775807) -> Tensor:
    """x[start:stop:step] along an axis"""
def select(x: TensorLike, axis: SupportsIndex = 0, index: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
    """slice at one index of an axis; removes that axis"""
def slice_embed(x: TensorLike, axis: SupportsIndex = 0, start: SupportsIndex = 0, step: SupportsIndex = 1, size: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
    """zeros with x at [start::step] of an axis, the transpose of slice"""
def clone(x: TensorLike) -> Tensor:
    """contiguous copy"""
def to(x: TensorLike, dtype: DTypeLike = 'f32') -> Tensor:
    """cast to another dtype"""
def cat(*tensors: Any, **options: Any) -> Tensor:
    """Joins tensors, or those of a list, along an axis; next to tensors of more axes an empty vector,
    as PyTorch programs start from, is nothing.
    """
def stack(*xs: TensorLike | None, axis: SupportsIndex = 0, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
    """stack tensors of equal shape along a new axis"""
def split(input: Any, split_size_or_sections: Any = None, dim: Any = 0, *, axis: Any = None, sizes: Any = None) -> builtins.tuple[Tensor, ...]:
    """Parts along an axis, as views: of a size (the last may be smaller), or of the sizes of a list."""
def chunk(x: TensorLike, chunks: SupportsIndex = 1, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> builtins.tuple[Tensor, ...]:
    """split into chunks of equal size along an axis; the last may be smaller"""
def flip(*args: Any, **options: Any) -> Tensor:
    """Reverses the order of elements along axes, of all axes if none are given."""
def roll(input: Any, shifts: Any, dims: Any = None, *, axis: Any = None, axes: Any = None) -> Tensor:
    """Circular shift along axes; without axes, of the flattened tensor."""
def pad(x: TensorLike, before: ShapeLike | None = (), after: ShapeLike | None = (), mode: Literal['constant', 'reflect', 'replicate', 'circular'] = 'constant', value: SupportsFloat = 0.0) -> Tensor:
    """pad both ends of axes (constant, reflect, replicate, circular)"""
@overload
def tile(x: TensorLike, repeats: ShapeLike | None = ()) -> Tensor:
    """repeat the tensor along each axis"""
@overload
def tile(x: TensorLike, *repeats: SupportsIndex) -> Tensor:
    """repeat the tensor along each axis"""
def repeat_interleave(input: Any, repeats: Any = None, dim: Any = None, *, output_size: Any = None, axis: Any = None, count: Any = None) -> Tensor:
    """Repeats each slice along an axis consecutively, or each element of the flattened tensor.
    `repeats` is a number, or one for each slice.
    """
def unfold(input: Any, dimension: Any = 0, size: Any = 1, step: Any = 1, *, dim: Any = None, axis: Any = None) -> Tensor:
    """Sliding windows along an axis, as a view with a new last axis."""
def overlap_add(x: TensorLike, axis: SupportsIndex = 0, step: SupportsIndex = 1, length: SupportsIndex = 0, *, dim: SupportsIndex = 0, dimension: SupportsIndex = 0) -> Tensor:
    """overlap-add: sum of windows along an axis, the transpose of unfold"""
def diagonal(input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1, *, axis0: Any = None, axis1: Any = None) -> Tensor:
    """View of the diagonal of two axes, as a new last axis."""
def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1, *, axis0: Any = None, axis1: Any = None, rows: Any = -1, columns: Any = -1) -> Tensor:
    """Zeros with the last axis on the diagonal of two axes of the result."""
def tril(x: TensorLike, diagonal: SupportsIndex = 0) -> Tensor:
    """lower triangle: zeros above a diagonal"""
def triu(x: TensorLike, diagonal: SupportsIndex = 0) -> Tensor:
    """upper triangle: zeros below a diagonal"""
def gather(input: Any, *args: Any, **options: Any) -> Tensor:
    """gather values along an axis: one element of x per element of index; gather(x, dim, index, ...) as
    in PyTorch, or gather(x, index, ..., axis=...).
    """
def scatter(input: Any, *args: Any, reduce: Any = None, value: Any = None, **options: Any) -> Tensor:
    """Copy of x with elements replaced at the indices along an axis, by a tensor or a number:
    scatter(x, dim, index, src).
    """
def scatter_add(input: Any, *args: Any, **options: Any) -> Tensor:
    """Copy of x with src added at the indices along an axis: scatter_add(x, dim, index, src)."""
def scatter_reduce(input: Any, *args: Any, **options: Any) -> Tensor:
    """Copy of x with src reduced into it at the indices along an axis: scatter_reduce(x, dim, index,
    src, reduce).
    """
def index_select(input: Any, *args: Any, **options: Any) -> Tensor:
    """slices of x along an axis selected by a 1-D index; index_select(x, dim, index, ...) as in
    PyTorch, or index_select(x, index, ..., axis=...).
    """
def index_add(input: Any, *args: Any, alpha: Any = 1, **options: Any) -> Tensor:
    """Copy of x with slices of src added at the indices of an axis: index_add(x, dim, index, src)."""
def index(x: TensorLike, *indices: TensorLike | None) -> Tensor:
    """advanced indexing: elements selected by index tensors"""
def index_put(input: Any, indices: Any, values: Any, accumulate: Any = False) -> Tensor:
    """Copy of x with values written, or added, at the elements selected by a list of index tensors."""
def take(x: TensorLike, index: TensorLike) -> Tensor:
    """elements at flat (row-major) indices"""
def masked_select(x: TensorLike, mask: TensorLike) -> Tensor:
    """1-D tensor of the elements where mask is true"""
def nonzero(input: Any, *, as_tuple: Any = False) -> Any:
    """Indices of the nonzero elements [n, axes]; with as_tuple a tensor of n indices for each axis."""
def embedding(weight: TensorLike, index: TensorLike) -> Tensor:
    """embedding lookup: rows of weight [rows, ...] at an index of any shape: [index..., ...]"""
def masked_fill(input: Any, mask: Any, value: Any = 0.0) -> Tensor:
    """Copy of x, broadcast with the mask, with a number or a 0-d tensor where the mask is true."""
def one_hot(index: TensorLike, classes: SupportsIndex = -1, dtype: DTypeLike = 'f32', *, num_classes: SupportsIndex = -1) -> Tensor:
    """one-hot encoding along a new last axis"""
def as_strided(x: TensorLike, shape: ShapeLike | None = (), strides: ShapeLike | None = (), offset: SupportsIndex = 0, *, size: ShapeLike | None = (), stride: ShapeLike | None = (), storage_offset: SupportsIndex = 0) -> Tensor:
    """view of the elements of x, counted in row-major order, at offset + strides * index"""
def as_strided_scatter(x: TensorLike, src: TensorLike, shape: ShapeLike | None = (), strides: ShapeLike | None = (), offset: SupportsIndex = 0, *, size: ShapeLike | None = (), stride: ShapeLike | None = (), storage_offset: SupportsIndex = 0) -> Tensor:
    """copy of x with src written at the elements that as_strided selects"""
def sort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False, *, axis: Any = None) -> builtins.tuple[Tensor, Tensor]:
    """Sorted values along an axis and their indices; always stable."""
def argsort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False, *, axis: Any = -1, kind: Any = None) -> Tensor:
    """Indices that sort along an axis, with axis=None the flattened tensor; always stable, whatever
    `kind` NumPy programs ask for.
    """
def topk(x: TensorLike, k: SupportsIndex = 1, axis: SupportsIndex = -1, largest: builtins.bool = True, sorted: builtins.bool = True, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, sorted_sequence: builtins.bool = True) -> builtins.tuple[Tensor, Tensor]:
    """the k largest or smallest elements along an axis and their indices"""
def searchsorted(sorted_sequence: Any, input: Any, right: Any = False, side: Any = None, sorter: Any = None, *, out_int32: Any = False) -> Tensor:
    """Indices at which values would be inserted to keep rows sorted: before equal ones, or after with
    `right` or side="right".
    """
def unique(input: Any, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None, *, return_index: Any = False, axis: Any = None) -> Any:
    """Sorted unique values; on request with the index of each element in them and their counts. Along
    an axis: unique slices.
    """
def bincount(input: Any, weights: Any = None, minlength: Any = 0) -> Tensor:
    """Counts of each non-negative integer, or sums of its weights: f64 for integer weights."""
def kthvalue(x: TensorLike, k: SupportsIndex = 1, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> builtins.tuple[Tensor, Tensor]:
    """k-th smallest value along an axis and its index"""
def median(input: Any, dim: Any = None, keepdim: Any = False, *, axis: Any = None, keepdims: Any = None) -> Any:
    """The lower median of all elements, or along an axis (values, indices); NaN if an element is NaN.
    """
def quantile(input: Any, q: Any, dim: Any = None, keepdim: Any = False, *, interpolation: Any = 'linear', axis: Any = None, axes: Any = None) -> Tensor:
    """Quantile of all elements or along an axis; for a vector of q, one for each along a new first
    axis.
    """
def rand(*size: Any, shape: Any = None, dtype: Any = None, device: Any = None, requires_grad: Any = False, generator: Any = None, seed: Any = None, offset: Any = None) -> Tensor:
    """Uniform numbers in [0, 1) of a shape: rand(2, 3) or rand((2, 3)); f32 by default."""
def randn(*size: Any, shape: Any = None, dtype: Any = None, device: Any = None, requires_grad: Any = False, generator: Any = None, seed: Any = None, offset: Any = None) -> Tensor:
    """Numbers from the standard normal distribution of a shape: randn(2, 3) or randn((2, 3)); f32 by
    default.
    """
def randint(*args: Any, low: Any = None, high: Any = None, size: Any = None, shape: Any = None, dtype: Any = None, device: Any = None, requires_grad: Any = False, generator: Any = None, seed: Any = None, offset: Any = None) -> Tensor:
    """Uniform integers in [low, high): randint(high, size) or randint(low, high, size); low is 0 by
    default.
    """
def bernoulli(input: Any = 0.5, p: Any = None, *, shape: Any = None, generator: Any = None, **options: Any) -> Tensor:
    """1 with the probability of each element of a tensor; of a number p, booleans of a shape."""
def dropout(x: TensorLike, p: SupportsFloat = 0.5, seed: SupportsIndex = 0, offset: SupportsIndex = 0, *, storage_offset: SupportsIndex = 0) -> Tensor:
    """dropout: zero with probability p, else x / (1 - p)"""
def softmax(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, dtype: Any = None) -> Tensor:
    """softmax along an axis: e^x / sum e^x"""
def log_softmax(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, dtype: Any = None) -> Tensor:
    """log-softmax along an axis: x - log sum e^x"""
def softmax_backward(g: TensorLike, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gradient of softmax from its output"""
def log_softmax_backward(g: TensorLike, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gradient of log_softmax from its output"""
def logsumexp_rows(x: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """log-sum-exp along one axis: log sum e^x"""
def layer_norm(x: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """layer normalisation: (x - mean) / sqrt(variance + eps) * weight + bias"""
def rms_norm(x: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """root mean square normalisation: x / sqrt(mean(x^2) + eps) * weight"""
def moments(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
    """mean and biased variance along an axis"""
def standardize(x: TensorLike, mean: TensorLike, variance: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """standardize with given moments: (x - mean) / sqrt(variance + eps) * weight + bias"""
def cosine_similarity(x: TensorLike, y: TensorLike, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-08, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """cosine similarity along an axis: x . y / (|x| |y|)"""
def group_norm(x: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, groups: SupportsIndex = 1, eps: SupportsFloat = 1e-05, *, num_groups: SupportsIndex = 1) -> Tensor:
    """group normalisation over groups of channels"""
def batch_norm(x: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, mean: TensorLike | None = None, variance: TensorLike | None = None, eps: SupportsFloat = 1e-05) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """batch normalisation of each channel; also returns mean and biased variance"""
def logsumexp(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
    """log-sum-exp over axes: log sum e^x"""
def mse_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """squared error: (x - y)^2"""
def l1_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """absolute error: |x - y|"""
def huber_terms(x: TensorLike, y: TensorLike, delta: TensorLike) -> Tensor:
    """Huber loss per element: (x - y)^2 / 2 if |x - y| < delta, else linear"""
def bce_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """binary cross entropy per element: -(y log x + (1 - y) log(1 - x))"""
def bce_with_logits_terms(x: TensorLike, y: TensorLike, pos_weight: TensorLike) -> Tensor:
    """binary cross entropy of logits per element: -(pos_weight y log s(x) + (1 - y) log s(-x)), s = sigmoid"""
def kl_div_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """Kullback-Leibler divergence terms: y (log y - x)"""
def kl_div_log_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """Kullback-Leibler divergence terms of log-probabilities: e^y (y - x)"""
def cross_entropy_rows(logits: TensorLike, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """cross entropy per row: -log softmax(logits)[target]"""
def weighted_cross_entropy_rows(logits: TensorLike, weight: TensorLike | None, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """cross entropy per row with class weights and label smoothing"""
def probability_cross_entropy_rows(logits: TensorLike, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """cross entropy per row with class probabilities as target"""
def mse(x: TensorLike, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """mean squared error: (x - y)^2, reduced by mean (default), sum or none"""
def l1(x: TensorLike, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """mean absolute error: |x - y|, reduced by mean (default), sum or none"""
def huber(x: TensorLike, y: TensorLike, delta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """Huber loss: (x - y)^2 / 2 if |x - y| < delta, else linear; mean by default"""
def smooth_l1(x: TensorLike, y: TensorLike, beta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """smooth L1 loss: Huber loss / beta; mean by default"""
def bce(x: TensorLike, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """binary cross entropy of probabilities; mean by default"""
def bce_with_logits(x: TensorLike, y: TensorLike, pos_weight: TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """binary cross entropy of logits: bce of sigmoid(x); mean by default"""
def kl_div(x: TensorLike, y: TensorLike, log_target: builtins.bool = False, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """Kullback-Leibler divergence of y from log-probabilities x; mean by default"""
def nll(x: TensorLike, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """negative log-likelihood: -x[target] of log-probabilities x; mean by default"""
def cross_entropy(logits: TensorLike, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """cross entropy loss: -log softmax(logits)[target]; mean by default"""
def matmul(x: TensorLike, y: TensorLike) -> Tensor:
    """matrix product; broadcasts batch axes, accepts vectors"""
def linear(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
    """linear layer: x W^T + bias, weight W [out, in]"""
def linear_act(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, act: Literal['none', 'relu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'tanh'] = 'none') -> Tensor:
    """linear layer with activation: act(x W^T + bias)"""
def outer(x: TensorLike, y: TensorLike) -> Tensor:
    """outer product of two vectors: x_i y_j"""
def triangular_solve(a: TensorLike, b: TensorLike, upper: builtins.bool = False, transpose: builtins.bool = False, unitriangular: builtins.bool = False, left: builtins.bool = True) -> Tensor:
    """solve a X = b or X a = b for triangular a"""
def solve(a: TensorLike, b: TensorLike) -> Tensor:
    """solve the linear system a X = b"""
def inverse(x: TensorLike) -> Tensor:
    """inverse of square matrices"""
def matrix_power(x: TensorLike, power: SupportsIndex = 2) -> Tensor:
    """integer power of square matrices"""
def det(x: TensorLike) -> Tensor:
    """determinant of square matrices"""
def slogdet(x: TensorLike) -> builtins.tuple[Tensor, Tensor]:
    """sign and log |det x| (natural logarithm) of square matrices"""
def lstsq(a: TensorLike, b: TensorLike) -> Tensor:
    """least-squares solution of a X = b; a must have full rank"""
def cholesky(x: TensorLike, *, upper: Any = False) -> Tensor:
    """Cholesky decomposition: lower triangular L with x = L L^T (uses the symmetric part of x)"""
def qr(x: TensorLike) -> builtins.tuple[Tensor, Tensor]:
    """reduced QR decomposition: x = Q R, Q with orthonormal columns, R upper triangular"""
def svd(x: TensorLike) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """reduced singular value decomposition (SVD): x = u diag(s) vh"""
def eigh(x: TensorLike) -> builtins.tuple[Tensor, Tensor]:
    """eigenvalues and eigenvectors of symmetric matrices (uses the symmetric part of x)"""
def addmm(x: TensorLike, a: TensorLike, b: TensorLike, beta: SupportsFloat = 1.0, alpha: SupportsFloat = 1.0) -> Tensor:
    """matrix product added to a tensor: beta x + alpha a b"""
def tensordot(a: Any, b: Any, dims: Any = 2, *, axes: Any = None) -> Tensor:
    """Sum of products over pairs of axes: the last `dims` axes of a and the first of b, or lists of
    both.
    """
def kron(x: TensorLike, y: TensorLike) -> Tensor:
    """Kronecker product: every element of x times y"""
def cross(input: Any, other: Any, dim: Any = None, *, axis: Any = None) -> Tensor:
    """Cross product of 3-d vectors along an axis, by default the first of size 3."""
def trace(x: TensorLike, offset: SupportsIndex = 0, axis0: SupportsIndex = 0, axis1: SupportsIndex = 1, *, storage_offset: SupportsIndex = 0, dim0: SupportsIndex = 0, dim1: SupportsIndex = 1) -> Tensor:
    """trace: sum of the diagonal of two axes"""
def cdist(x1: Any, x2: Any, p: Any = 2.0, compute_mode: Any = None) -> Tensor:
    """Pairwise p-norm distances of rows [..., m, n]; always computed from differences."""
def pinv(x: TensorLike, rtol: SupportsFloat = -1.0, *, rcond: SupportsFloat = -1.0) -> Tensor:
    """Moore-Penrose pseudoinverse of matrices"""
def csr_matmul(crow_indices: TensorLike, col_indices: TensorLike, values: TensorLike, dense: TensorLike) -> Tensor:
    """product of a sparse matrix in compressed sparse rows (CSR) with a dense matrix or vector"""
def csr_sampled_matmul(crow_indices: TensorLike, col_indices: TensorLike, x: TensorLike, y: TensorLike) -> Tensor:
    """sampled dense-dense product: elements of x y^T at the places of a sparse matrix (CSR)"""
def csr_transpose(crow_indices: TensorLike, col_indices: TensorLike, columns: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """structure of the transpose of a sparse matrix (CSR), and the order of its values"""
def semiring_matmul(x: TensorLike, y: TensorLike, semiring: Literal['min_plus', 'max_plus', 'min_times', 'max_times'] = 'min_plus') -> Tensor:
    """matrix product over a semiring, e.g. min_plus: out_ij = min over l of x_il + y_lj"""
def semiring_fixpoint(a: TensorLike, b: TensorLike, semiring: Literal['min_plus', 'max_plus', 'min_times', 'max_times'] = 'min_plus') -> Tensor:
    """solution x of x = best of b and a x over a semiring: lengths of shortest paths"""
def einsum(*tensors: TensorLike | None, spec: builtins.str = '') -> Tensor:
    """Einstein summation"""
def conv2d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """2-D convolution of x [N, in, H, W] by weight [out, in / groups, h, w]"""
def conv1d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """1-D convolution of x [N, in, L] by weight [out, in / groups, l]"""
def conv_transpose2d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """2-D transposed convolution of x [N, in, H, W] by weight [in, out / groups, h, w]"""
def conv_transpose1d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """1-D transposed convolution of x [N, in, L] by weight [in, out / groups, l]"""
def conv2d_weight_gradient(x: TensorLike, grad: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, kernel_size: ShapeLike | None = (1,), num_groups: SupportsIndex = 1) -> Tensor:
    """gradient of conv2d with respect to its weight"""
def max_pool2d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: builtins.bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """2-D max pooling"""
def max_pool1d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: builtins.bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """1-D max pooling"""
def avg_pool2d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """2-D average pooling"""
def avg_pool1d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """1-D average pooling"""
def avg_pool2d_gradient(grad: TensorLike, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """gradient of avg_pool2d with respect to its input"""
@overload
def adaptive_max_pool2d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """adaptive 2-D max pooling to a given output size"""
@overload
def adaptive_max_pool2d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """adaptive 2-D max pooling to a given output size"""
@overload
def adaptive_max_pool1d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """adaptive 1-D max pooling to a given output size"""
@overload
def adaptive_max_pool1d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """adaptive 1-D max pooling to a given output size"""
@overload
def adaptive_avg_pool2d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """adaptive 2-D average pooling to a given output size"""
@overload
def adaptive_avg_pool2d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """adaptive 2-D average pooling to a given output size"""
@overload
def adaptive_avg_pool1d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """adaptive 1-D average pooling to a given output size"""
@overload
def adaptive_avg_pool1d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """adaptive 1-D average pooling to a given output size"""
@overload
def adaptive_avg_pool2d_gradient(grad: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """gradient of adaptive_avg_pool2d with respect to its input"""
@overload
def adaptive_avg_pool2d_gradient(grad: TensorLike, *size: SupportsIndex) -> Tensor:
    """gradient of adaptive_avg_pool2d with respect to its input"""
def im2col(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """im2col: sliding windows of images as columns"""
def col2im(x: TensorLike, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """col2im: sum of columns into images, the transpose of im2col"""
def scaled_dot_product_attention(q: TensorLike, k: TensorLike, v: TensorLike, mask: TensorLike | None = None, lengths: TensorLike | None = None, causal: builtins.bool = False, scale: SupportsFloat = 0.0, softcap: SupportsFloat = 0.0, window: SupportsIndex = 0, dropout: SupportsFloat = 0.0, seed: SupportsIndex = 0, offset: SupportsIndex = 0, *, storage_offset: SupportsIndex = 0) -> Tensor:
    """attention softmax(scale q k^T) v of q, k, v [..., heads, length, width], computed blockwise; lengths: number of valid keys per sequence, of which the queries are the last"""
def rope(x: TensorLike, positions: TensorLike | None = None, frequencies: TensorLike | None = None, base: SupportsFloat = 10000.0, position: SupportsIndex = 0, width: SupportsIndex = 0, interleaved: builtins.bool = False, inverse: builtins.bool = False) -> Tensor:
    """rotary position embedding (RoPE): rotates pairs of features by position * frequency"""
def poincare_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius addition x ⊕ y"""
def poincare_gyration(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
def poincare_scalar_rows(x: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius scalar multiplication r ⊗ x"""
def poincare_exp(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at x"""
def poincare_exp_backward(g: TensorLike, x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """gradients of poincare_exp: cotangents of its operands from that of its result"""
def poincare_log(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of y at x"""
def poincare_exp0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def poincare_log0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def poincare_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from x to y"""
def poincare_transport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from the origin to x"""
def poincare_geodesic(x: TensorLike, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """point at t on the geodesic from x (t = 0) to y (t = 1)"""
def poincare_egrad2rgrad(x: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Riemannian gradient at x from the Euclidean gradient g"""
def poincare_project(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """project x into the ball: clip its norm to 1 - margin of the radius"""
def poincare_lambda(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """conformal factor 2 / (1 - c|x|^2)"""
def poincare_dist(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance between x and y"""
def poincare_dist0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance from x to the origin"""
def poincare_dist2(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """squared geodesic distance between x and y"""
def poincare_inner(x: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """inner product <u, v> of tangent vectors at x"""
def poincare_norm(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """norm |v| of a tangent vector at x"""
def poincare_to_lorentz(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """x mapped to the hyperboloid (isometry)"""
def poincare_to_klein(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """x mapped to the Klein ball (isometry)"""
def poincare_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius subtraction x ⊕ (-y)"""
def poincare_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius scalar multiplication r ⊗ x"""
def lorentz_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyrovector addition x ⊕ y: the boost from the origin to x, applied to y"""
def lorentz_scalar_rows(x: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """scalar multiplication r ⊗ x = exp0(r log0(x))"""
def lorentz_exp(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at x"""
def lorentz_log(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of y at x"""
def lorentz_exp0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at the origin: sinh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def lorentz_log0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of x at the origin: arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def lorentz_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from x to y"""
def lorentz_transport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from the origin to x"""
def lorentz_geodesic(x: TensorLike, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """point at t on the geodesic from x (t = 0) to y (t = 1)"""
def lorentz_egrad2rgrad(x: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Riemannian gradient at x from the Euclidean gradient g"""
def lorentz_dist(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance between x and y"""
def lorentz_dist_backward(x: TensorLike, y: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """gradients of lorentz_dist: cotangents of its operands from that of its result"""
def lorentz_dist0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance from x to the origin"""
def lorentz_dist2(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """squared geodesic distance between x and y"""
def lorentz_inner(x: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """inner product <u, v> of tangent vectors at x"""
def lorentz_norm(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """norm |v| of a tangent vector at x"""
def lorentz_to_poincare(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """x mapped to the Poincaré ball (isometry)"""
def lorentz_to_klein(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """x mapped to the Klein ball (isometry)"""
def lorentz_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyrovector subtraction x ⊕ (-y)"""
def lorentz_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """scalar multiplication r ⊗ x = exp0(r log0(x))"""
def lorentz_gyration(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
def lorentz_with_time(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """prepend the time coordinate: (sqrt(1 / c + |x|^2), x)"""
def lorentz_without_time(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """remove the time coordinate: x of (time, x)"""
def klein_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Einstein addition x ⊕ y"""
def klein_scalar_rows(x: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """scalar multiplication r ⊗ x of the Einstein gyrovector space"""
def klein_exp(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at x"""
def klein_log(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of y at x"""
def klein_exp0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def klein_log0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def klein_transport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from the origin to x"""
def klein_untransport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from x to the origin"""
def klein_geodesic(x: TensorLike, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """point at t on the geodesic from x (t = 0) to y (t = 1)"""
def klein_egrad2rgrad(x: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Riemannian gradient at x from the Euclidean gradient g"""
def klein_project(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """project x into the ball: clip its norm to 1 - margin of the radius"""
def klein_dist(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance between x and y"""
def klein_dist0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance from x to the origin"""
def klein_dist2(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """squared geodesic distance between x and y"""
def klein_inner(x: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """inner product <u, v> of tangent vectors at x"""
def klein_norm(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """norm |v| of a tangent vector at x"""
def klein_to_poincare(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """x mapped to the Poincaré ball (isometry)"""
def klein_to_lorentz(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """x mapped to the hyperboloid (isometry)"""
def klein_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Einstein subtraction x ⊕ (-y)"""
def klein_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """scalar multiplication r ⊗ x of the Einstein gyrovector space"""
def klein_gyration(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyration gyr[x, y] v = -(x ⊕ y) ⊕ (x ⊕ (y ⊕ v))"""
def klein_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from x to y"""
def poincare_ball_layer(u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
def poincare_ball_layer_backward(grad: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
    """gradients of the geodesic layer: cotangents of its operands from that of its result"""
def poincare_gyro_lerp(u: TensorLike, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
def lorentz_layer(u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
def lorentz_layer_backward(grad: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
    """gradients of the geodesic layer: cotangents of its operands from that of its result"""
def lorentz_gyro_lerp(u: TensorLike, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
def klein_layer(u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """point at t on the geodesic from u (t = 0) to v (t = 1)"""
def klein_layer_backward(grad: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
    """gradients of the geodesic layer: cotangents of its operands from that of its result"""
def klein_gyro_lerp(u: TensorLike, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """gyrovector interpolation ((1 - t) ⊗ u) ⊕ (t ⊗ v)"""
def poincare_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def poincare_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def lorentz_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def lorentz_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def klein_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def klein_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def poincare_cdist(x: TensorLike, y: TensorLike, c: TensorLike) -> Tensor:
    """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
def lorentz_cdist(x: TensorLike, y: TensorLike, c: TensorLike) -> Tensor:
    """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
def klein_cdist(x: TensorLike, y: TensorLike, c: TensorLike) -> Tensor:
    """pairwise geodesic distances of x [..., n, d] and y [..., m, d]: [..., n, m]"""
def poincare_midpoint(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these are 0"""
def lorentz_midpoint(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these are 0"""
def klein_midpoint(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """weighted midpoint (gyromidpoint) of points x [..., n, d], weights [..., n]; the origin if these are 0"""
def poincare_frechet_mean(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
def lorentz_frechet_mean(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
def klein_frechet_mean(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """weighted Fréchet mean of points x [..., n, d], weights [..., n]"""
def poincare_exp0_add(v: TensorLike, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius bias exp0(v) ⊕ b, projected into the ball"""
def poincare_exp0_add_exp0(v: TensorLike, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius bias exp0(v) ⊕ exp0(b), projected into the ball"""
def poincare_lift(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
    """points of the Poincaré ball and their time coordinate on the hyperboloid"""
def lorentz_lift(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
    """points of the hyperboloid and their time coordinate"""
def poincare_planes(z: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
    """hyperplanes of the Poincaré ball with normals z at gyrodistance r: normals and logit coefficients"""
def lorentz_planes(z: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
    """hyperplanes of the hyperboloid with normals z at distance r: normals and logit coefficients"""
def poincare_scores(product: TensorLike, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logits of PoincareMLR from the product of points and normals"""
def lorentz_scores(product: TensorLike, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logits of LorentzMLR from the product of points and normals"""
def poincare_from_planes(product: TensorLike, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """output of PoincareLinear from the product of points and normals"""
def lorentz_gate(x: TensorLike, v: TensorLike, by_time: TensorLike, bias: TensorLike, scale: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """gate of LorentzLinear: x, its time t and scale sigmoid(<v, x> + by_time t + bias)"""
def lorentz_gated(product: TensorLike, w: TensorLike, b: TensorLike, time: TensorLike, gate: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """output of LorentzLinear: gate h / |h| with h = product + time w + b"""
def lorentz_affinity(product: TensorLike, key_time: TensorLike, time: TensorLike, slope: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """hyperbolic attention scores -slope d(query, key)^2 from inner products and times"""
def lorentz_weights(affinity: TensorLike, key_time: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
    """attention weights (softmax) and the weighted mean of the keys' times"""
def lorentz_centroid(x: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, narrow: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Lorentz centroid: (time, x) normalised onto the hyperboloid"""
def poincare_boundary(x: TensorLike, c: TensorLike, margin: SupportsFloat = 0.05) -> Tensor:
    """boundary penalty: mean of max(0, c|x|^2 - (1 - margin)^2)^2"""
def curvature_penalty(c: TensorLike, target: SupportsFloat = 1.0) -> Tensor:
    """curvature penalty: mean of log(c / target)^2"""
def poincare_variance(x: TensorLike, c: TensorLike) -> Tensor:
    """variance: mean squared distance of points to their midpoint"""
def poincare_contrastive(x: TensorLike, labels: TensorLike, c: TensorLike, temperature: SupportsFloat = 0.1) -> Tensor:
    """supervised contrastive loss with negative distances as similarities"""
def packed_matmul(x: TensorLike, w: TensorLike, transpose: builtins.bool = True, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
    """x w^T, or x w, for packed w, which is decoded tile by tile"""
def packed_matmul_int8(x: TensorLike, w: TensorLike, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
    """x w^T for packed w, with x rounded to 8 bits; has no gradient"""
def packed_decode(w: TensorLike, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
    """weights of a packed tensor as a plain f32 tensor"""
def packed_rows(w: TensorLike, indices: TensorLike, format: Literal['own', 'D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'own') -> Tensor:
    """rows of packed w by index"""
def packed_encode(x: TensorLike, format: Literal['D4', 'D3', 'D2', 'D1', 'T4', 'T2', 'q8_0', 'q4_0', 'int8', 'nf4', 'vq', 'low_rank', 'F'] = 'D4', seed: SupportsIndex = 1) -> Tensor:
    """packed weights nearest to x; the gradient passes straight through"""
def packed_transition(w: TensorLike, words: TensorLike, bits: TensorLike) -> Tensor:
    """packed w with a bit of each of some words flipped: applied twice it gives w again"""
def packed_riemannian_step(points: TensorLike, gradient: TensorLike, m: TensorLike, v: TensorLike, lr: SupportsFloat = 0.001, beta1: SupportsFloat = 0.9, beta2: SupportsFloat = 0.999, eps: SupportsFloat = 1e-08, step: SupportsIndex = 1, turns: builtins.bool = True) -> builtins.tuple[Tensor, Tensor, Tensor]:
    """step of Adam for scales and angles of packed weights, points of the hyperbolic plane"""
_ops: tuple[Op, ...]
def mobius_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius addition x ⊕ y"""
def mobius_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius subtraction x ⊕ (-y)"""
def mobius_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius scalar multiplication r ⊗ x"""
def mobius_scalar_mul(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """Möbius scalar multiplication r ⊗ x"""
def mobius_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """Möbius matrix-vector multiplication exp0(m log0(x))"""
def mobius_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """f applied to each coordinate in the tangent space at the origin: exp0(f(log0(x)))"""
def expmap(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at x"""
def logmap(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of y at x"""
def expmap0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """exponential map of v at the origin: tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def logmap0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """logarithmic map of x at the origin: artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def parallel_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1) -> Tensor:
    """parallel transport of v from x to y"""
def poincare_distance(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance between x and y"""
def lorentz_distance(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance between x and y"""
def klein_distance(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, dimension: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
    """geodesic distance between x and y"""
def absolute(x: TensorLike) -> Tensor:
    """absolute value"""
def negative(x: TensorLike) -> Tensor:
    """-x"""
def subtract(x: TensorLike, y: TensorLike, *, alpha: Any = 1) -> Tensor:
    """x - y"""
def multiply(x: TensorLike, y: TensorLike) -> Tensor:
    """x * y"""
def divide(x: TensorLike, y: TensorLike, *, rounding_mode: Any = None) -> Tensor:
    """x / y"""
def true_divide(x: TensorLike, y: TensorLike, *, rounding_mode: Any = None) -> Tensor:
    """x / y"""
def greater(x: TensorLike, y: TensorLike) -> Tensor:
    """x > y"""
def greater_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """x >= y"""
def less(x: TensorLike, y: TensorLike) -> Tensor:
    """x < y"""
def less_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """x <= y"""
def not_equal(x: TensorLike, y: TensorLike) -> Tensor:
    """x != y"""
def fix(x: TensorLike) -> Tensor:
    """truncate: round towards zero"""
def sgn(x: TensorLike) -> Tensor:
    """sign of x: -1, 0 or 1"""
def gammaln(x: TensorLike) -> Tensor:
    """logarithm of the absolute value of the gamma function"""
def psi(x: TensorLike) -> Tensor:
    """derivative of lgamma"""
def arccos(x: TensorLike) -> Tensor:
    """arccosine in radians"""
def arcsin(x: TensorLike) -> Tensor:
    """arcsine in radians"""
def arctan(x: TensorLike) -> Tensor:
    """arctangent in radians"""
def arctan2(y: TensorLike, x: TensorLike) -> Tensor:
    """angle of the point (x, y) in radians, in [-pi, pi]"""
def arccosh(x: TensorLike) -> Tensor:
    """inverse hyperbolic cosine"""
def arcsinh(x: TensorLike) -> Tensor:
    """inverse hyperbolic sine"""
def arctanh(x: TensorLike) -> Tensor:
    """inverse hyperbolic tangent"""
def bitwise_left_shift(x: TensorLike, y: TensorLike) -> Tensor:
    """left shift of integers: x 2^y"""
def bitwise_right_shift(x: TensorLike, y: TensorLike) -> Tensor:
    """right shift of integers: floor(x / 2^y)"""
def bitwise_invert(x: TensorLike) -> Tensor:
    """bitwise NOT; logical NOT for boolean"""
def amax(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
    """maximum over axes; propagates NaN"""
def amin(x: TensorLike, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), dims: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
    """minimum over axes; propagates NaN"""
def concat(*tensors: Any, **options: Any) -> Tensor:
    """Same as cat."""
def concatenate(*tensors: Any, **options: Any) -> Tensor:
    """Same as cat."""
@overload
def swapaxes(x: TensorLike, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, *, dim0: SupportsIndex = -2, dim1: SupportsIndex = -1) -> Tensor:
    """swap two axes"""
@overload
def swapaxes(x: TensorLike, *axes: Any) -> Tensor:
    """swap two axes"""
@overload
def swapdims(x: TensorLike, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, *, dim0: SupportsIndex = -2, dim1: SupportsIndex = -1) -> Tensor:
    """swap two axes"""
@overload
def swapdims(x: TensorLike, *axes: Any) -> Tensor:
    """swap two axes"""
@overload
def broadcast_to(x: TensorLike, shape: ShapeLike | None = (), *, size: ShapeLike | None = ()) -> Tensor:
    """broadcast to a larger shape, as a view"""
@overload
def broadcast_to(x: TensorLike, *shape: SupportsIndex, size: ShapeLike | None = ()) -> Tensor:
    """broadcast to a larger shape, as a view"""
def bmm(x: TensorLike, y: TensorLike) -> Tensor:
    """matrix product; broadcasts batch axes, accepts vectors"""
def mm(x: TensorLike, y: TensorLike) -> Tensor:
    """matrix product; broadcasts batch axes, accepts vectors"""
def mv(x: TensorLike, y: TensorLike) -> Tensor:
    """matrix product; broadcasts batch axes, accepts vectors"""
def dot(x: TensorLike, y: TensorLike) -> Tensor:
    """matrix product; broadcasts batch axes, accepts vectors"""
def ger(x: TensorLike, y: TensorLike) -> Tensor:
    """outer product of two vectors: x_i y_j"""
def addmv(x: TensorLike, a: TensorLike, b: TensorLike, beta: SupportsFloat = 1.0, alpha: SupportsFloat = 1.0) -> Tensor:
    """matrix product added to a tensor: beta x + alpha a b"""
def baddbmm(x: TensorLike, a: TensorLike, b: TensorLike, beta: SupportsFloat = 1.0, alpha: SupportsFloat = 1.0) -> Tensor:
    """matrix product added to a tensor: beta x + alpha a b"""
_aliases: tuple[Op, ...]
_nn: Any
_optim: Any
_packed: Any
_logic: Any
_hyperbolic: Any
_data: Any
_models: Any
class Tokenizer:
    """Converts text to token ids and back: Tokenizer.load(path), Tokenizer.train(texts), Tokenizer.characters(text)."""
    def __init__(self) -> None: ...
    @staticmethod
    def load(path: builtins.str | os.PathLike[builtins.str]) -> Tokenizer:
        """Loads a tokenizer.json, or the tokenizer of a model: of a folder, a .gguf or a .bin file."""
    @staticmethod
    def train(texts: builtins.object, vocab_size: builtins.int = 4096, min_frequency: builtins.int = 0, special: collections.abc.Sequence[builtins.str] = []) -> Tokenizer:
        """Trains a byte-level BPE tokenizer on one or more texts: merges pairs that occur at least
        min_frequency times until there are vocab_size tokens, including the special tokens, which come
        first.
        """
    @staticmethod
    def characters(text: builtins.str) -> Tokenizer:
        """Character-level tokenizer of the characters in a text."""
    def encode(self, text: builtins.str, special: builtins.bool = False) -> builtins.list[builtins.int]:
        """Encodes text to a list of ids; with `special`, special tokens such as <|endoftext|> in the text
        get their id.
        """
    def decode(self, ids: builtins.object, skip_special: builtins.bool = False) -> builtins.object:
        """Decodes ids to text; invalid UTF-8 becomes U+FFFD."""
    @property
    def vocab_size(self) -> builtins.int:
        """vocabulary size: one more than the largest id"""
    def __len__(self) -> builtins.int: ...
    def token(self, id: builtins.int) -> builtins.str:
        """The token of an id, as written in tokenizer.json."""
    def id(self, token: builtins.str) -> builtins.object:
        """The id of a token, or None if it is not in the vocabulary."""
    def is_special(self, id: builtins.int) -> builtins.bool: ...
    def save(self, path: builtins.str | os.PathLike[builtins.str]) -> None:
        """Writes a tokenizer.json."""
    def __reduce__(self) -> builtins.tuple[Any, ...]: ...
    def __repr__(self) -> builtins.str: ...
_tokenizer_of: Any
def set_num_threads(count: builtins.int) -> None:
    """Sets the number of threads that kernels use; 0: GYRE_THREADS, or one per processor."""
def num_threads() -> builtins.int:
    """Number of threads that kernels use."""
def live_tensors() -> builtins.int:
    """Number of tensors alive in this process."""
_version: str
def full_like(input: Any, fill_value: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """Tensor of the shape and dtype of `input`, filled with a number."""
def fill(input: Any, value: Any) -> Tensor:
    """Tensor like `input` filled with a value; differentiable with respect to a 0-d tensor."""
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The data as a tensor, as functions convert their arguments: shares the memory of writable arrays.
    """
def logspace(start: Any, end: Any, steps: Any, base: Any = 10.0, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """`steps` numbers base ** x for evenly spaced x from start to end."""
def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """0-d tensor of a number, f32 by default."""
def meshgrid(*tensors: Any, indexing: Any = 'ij') -> builtins.tuple[Tensor, ...]:
    """Coordinate grids of vectors: views of shape [n0, n1, ...], or [n1, n0, ...] for indexing="xy"."""
def cartesian_prod(*tensors: Any) -> Tensor:
    """Cartesian product of vectors: the rows of a matrix, in lexicographic order; one vector as it is.
    """
def tri(n: Any, m: Any = None, k: Any = 0, dtype: Any = None, device: Any = None) -> Tensor:
    """Matrix with ones at and below the k-th diagonal and zeros elsewhere."""
def tril_indices(row: Any, col: Any, offset: Any = 0, dtype: Any = None, device: Any = None) -> Tensor:
    """Indices [2, n] of the elements of a row x col matrix on and below a diagonal."""
def triu_indices(row: Any, col: Any, offset: Any = 0, dtype: Any = None, device: Any = None) -> Tensor:
    """Indices [2, n] of the elements of a row x col matrix on and above a diagonal."""
def vander(x: Any, N: Any = None, increasing: Any = False) -> Tensor:
    """Vandermonde matrix: powers of x along a new last axis, descending unless `increasing`."""
def block_diag(*tensors: Any) -> Tensor:
    """Block diagonal matrix of matrices; vectors are rows, numbers 1 x 1."""
def FloatTensor(*data: Any) -> Tensor:
    """Tensor of f32 from data, or zeros of a shape given as ints."""
def DoubleTensor(*data: Any) -> Tensor:
    """Tensor of f64 from data, or zeros of a shape given as ints."""
def HalfTensor(*data: Any) -> Tensor:
    """Tensor of f16 from data, or zeros of a shape given as ints."""
def BFloat16Tensor(*data: Any) -> Tensor:
    """Tensor of bf16 from data, or zeros of a shape given as ints."""
def ByteTensor(*data: Any) -> Tensor:
    """Tensor of u8 from data, or zeros of a shape given as ints."""
def CharTensor(*data: Any) -> Tensor:
    """Tensor of i8 from data, or zeros of a shape given as ints."""
def ShortTensor(*data: Any) -> Tensor:
    """Tensor of i16 from data, or zeros of a shape given as ints."""
def IntTensor(*data: Any) -> Tensor:
    """Tensor of i32 from data, or zeros of a shape given as ints."""
def LongTensor(*data: Any) -> Tensor:
    """Tensor of i64 from data, or zeros of a shape given as ints."""
def BoolTensor(*data: Any) -> Tensor:
    """Tensor of boolean from data, or zeros of a shape given as ints."""
def trapezoid(y: Any, x: Any = None, *, dx: Any = 1, dim: Any = -1) -> Tensor:
    """Integral along an axis by the trapezoidal rule, at points x or with a spacing dx."""
def trapz(y: Any, x: Any = None, *, dx: Any = 1, dim: Any = -1) -> Tensor:
    """Same as trapezoid."""
def cumulative_trapezoid(y: Any, x: Any = None, *, dx: Any = 1, dim: Any = -1) -> Tensor:
    """Integrals from the first point to each other one along an axis, by the trapezoidal rule."""
def gradient(input: Any, *, spacing: Any = None, dim: Any = None, edge_order: Any = 1) -> builtins.tuple[Tensor, ...]:
    """Derivatives along axes, a tuple: central differences, exact for polynomials of degree 2, and one-
    sided ones of order edge_order at the ends. `spacing` is a distance (1), or for each axis a distance
    or a vector of coordinates.
    """
def clip(*args: Any, **kwargs: Any) -> Tensor:
    """Same as clamp."""
def clamp_min(input: Any, min: Any) -> Tensor:
    """Larger of x and a bound."""
def clamp_max(input: Any, max: Any) -> Tensor:
    """Smaller of x and a bound."""
def log10(input: Any) -> Tensor:
    """Logarithm to base 10."""
def hypot(input: Any, other: Any) -> Tensor:
    """sqrt(x^2 + y^2) without overflow of the squares."""
def fmax(input: Any, other: Any) -> Tensor:
    """Larger of x and y that is not NaN."""
def fmin(input: Any, other: Any) -> Tensor:
    """Smaller of x and y that is not NaN."""
def ldexp(input: Any, other: Any) -> Tensor:
    """x 2^y."""
def gcd(input: Any, other: Any) -> Tensor:
    """Greatest common divisor of integers, by Euclid's algorithm."""
def lcm(input: Any, other: Any) -> Tensor:
    """Least common multiple of integers; 0 if one of them is 0."""
def signbit(input: Any) -> Tensor:
    """Whether the sign is negative, of -0 as well."""
def copysign(input: Any, other: Any) -> Tensor:
    """Magnitude of x with the sign of y."""
def frac(input: Any) -> Tensor:
    """Fractional part x - trunc(x)."""
def deg2rad(input: Any) -> Tensor:
    """Degrees to radians."""
def rad2deg(input: Any) -> Tensor:
    """Radians to degrees."""
def heaviside(input: Any, values: Any) -> Tensor:
    """0 for negative x, 1 for positive x, and `values` at 0."""
def logit(input: Any, eps: Any = None) -> Tensor:
    """Inverse of the logistic function: log(x / (1 - x)), of x clamped to [eps, 1 - eps]."""
def xlogy(input: Any, other: Any) -> Tensor:
    """x log(y), and 0 for x = 0 unless y is NaN."""
def sinc(input: Any) -> Tensor:
    """sin(pi x) / (pi x), and 1 at 0."""
def logaddexp2(input: Any, other: Any) -> Tensor:
    """log2(2^x + 2^y)."""
def float_power(input: Any, exponent: Any) -> Tensor:
    """Power in f64."""
def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """input + value x y."""
def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """input + value x / y."""
def rsub(input: Any, other: Any, *, alpha: Any = 1) -> Tensor:
    """other - alpha x."""
def positive(input: Any) -> Tensor:
    """x itself."""
def isposinf(input: Any) -> Tensor:
    """True where x is infinity."""
def isneginf(input: Any) -> Tensor:
    """True where x is -infinity."""
def isreal(input: Any) -> Tensor:
    """True everywhere, since there are no complex dtypes."""
def real(input: Any) -> Tensor:
    """x itself, since there are no complex dtypes."""
def conj(input: Any) -> Tensor:
    """x itself, since there are no complex dtypes."""
def imag(input: Any) -> Tensor:
    """Zeros, since there are no complex dtypes."""
def inference_mode(mode: Any = True) -> Any:
    """Same as no_grad: disables autograd recording."""
class set_grad_enabled:
    """Sets at once whether autograd records ops on this thread; as a context manager, until its end."""
    def __init__(self, mode: Any) -> None: ...
    def __enter__(self) -> Tensor: ...
    def __exit__(self, *error: Any) -> None: ...
    def __call__(self, function: Any) -> Tensor: ...
def index_copy(input: Any, dim: Any, index: Any, source: Any) -> Tensor:
    """Copy of x with slices along an axis replaced at the indices."""
def index_fill(input: Any, dim: Any, index: Any, value: Any) -> Tensor:
    """Copy of x with slices along an axis filled with a number at the indices."""
def take_along_axis(input: Any, indices: Any, axis: Any = -1) -> Tensor:
    """Elements at indices along an axis; the other axes broadcast (numpy.take_along_axis)."""
def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Tensor:
    """Elements at indices along an axis, without one of the flattened tensor."""
def masked_scatter(input: Any, mask: Any, source: Any) -> Tensor:
    """Copy of x, broadcast with the mask, with the elements of `source`, in order, where the mask is
    true.
    """
def put(input: Any, index: Any, source: Any, accumulate: Any = False) -> Tensor:
    """Copy of x with values written, or added, at indices into its elements in row-major order."""
def select_scatter(input: Any, src: Any, dim: Any, index: Any) -> Tensor:
    """Copy of x with the slice at an index of an axis replaced."""
def slice_scatter(input: Any, src: Any, dim: Any = 0, start: Any = None, end: Any = None, step: Any = 1) -> Tensor:
    """Copy of x with the slice from start to end along an axis replaced."""
def diagonal_scatter(input: Any, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Tensor:
    """Copy of x with the diagonal of two axes replaced."""
def frombuffer(buffer: Any, *, dtype: Any, count: Any = -1, offset: Any = 0, requires_grad: Any = False) -> Tensor:
    """Vector of the elements in an object with a buffer, such as a bytearray, from a byte `offset`;
    count=-1: all. Shares the memory if it is writable.
    """
def inner(input: Any, other: Any) -> Tensor:
    """Sum of products over the last axes."""
def vdot(input: Any, other: Any) -> Tensor:
    """Dot product of vectors."""
def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta x + alpha times the sum of the products of a batch."""
def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta x + alpha times the outer product of two vectors."""
def chain_matmul(*matrices: Any) -> Tensor:
    """Product of matrices in the cheapest order."""
def logdet(input: Any) -> Tensor:
    """Logarithm of the determinant; NaN where it is negative."""
def renorm(input: Any, p: Any, dim: Any, maxnorm: Any) -> Tensor:
    """x with each slice along an axis scaled down to the p-norm maxnorm where its own is larger."""
def combinations(input: Any, r: Any = 2, with_replacement: Any = False) -> Tensor:
    """Combinations of r elements of a vector: the rows of a matrix, in lexicographic order."""
def cholesky_solve(input: Any, L: Any, upper: Any = False) -> Tensor:
    """Solution of A X = B for A = L L^T, or U^T U if upper."""
def cholesky_inverse(L: Any, upper: Any = False) -> Tensor:
    """Inverse of A = L L^T, or U^T U if upper."""
def matrix_exp(input: Any) -> Tensor:
    """Matrix exponential; see gyre.linalg.matrix_exp."""
def pinverse(input: Any, rcond: Any = 1e-15) -> Tensor:
    """Moore-Penrose pseudoinverse; singular values up to rcond times the largest count as 0."""
class Generator:
    """A random number generator, as in PyTorch. `device` is not used: the numbers are the same on all
    devices.
    """
    def __init__(self, device: Any = 'cpu') -> None: ...
    def manual_seed(self, seed: Any) -> Any:
        """Seeds the generator and returns it."""
    def seed(self) -> Any:
        """Seeds it with a number from the generator of the thread, and returns that number."""
    def initial_seed(self) -> Any:
        """The last seed."""
    def get_state(self) -> Any:
        """A tensor to pass to set_state()."""
    def set_state(self, new_state: Any) -> Any:
        """Sets the state to the result of get_state()."""
def rand_like(input: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """rand of the shape and dtype of a tensor."""
def randn_like(input: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """randn of the shape and dtype of a tensor."""
def randint_like(input: Any, *args: Any, low: Any = None, high: Any = None, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """Uniform integers of the shape, dtype and device of a tensor."""
def randperm(n: Any, *, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Random permutation of 0 to n - 1."""
def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """Numbers from normal distributions with these means and standard deviations: numbers or tensors.
    """
def multinomial(input: Any, num_samples: Any, replacement: Any = False, *, generator: Any = None) -> Tensor:
    """Indices drawn with probabilities proportional to the rows of weights [..., n]."""
def initial_seed() -> builtins.int:
    """The seed of the thread's random number generator."""
def seed() -> builtins.int:
    """Seeds the generator of the thread with a number from the operating system, and returns that
    number.
    """
def aminmax(input: Any, *, dim: Any = None, keepdim: Any = False) -> builtins.tuple[Tensor, ...]:
    """Minimum and maximum, of all elements or along an axis."""
def nanmedian(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The lower median of the elements that are not NaN, of all or along an axis (values, indices)."""
def msort(input: Any) -> Tensor:
    """Values sorted along axis 0."""
def var_mean(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> builtins.tuple[Tensor, ...]:
    """Variance and mean."""
def std_mean(input: Any, dim: Any = None, unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> builtins.tuple[Tensor, ...]:
    """Standard deviation and mean."""
def dist(input: Any, other: Any, p: Any = 2) -> Tensor:
    """p-norm of x - y."""
def nansum(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Tensor:
    """Sum of the elements that are not NaN."""
def nanmean(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Tensor:
    """Mean of the elements that are not NaN."""
def count_nonzero(input: Any, dim: Any = None) -> Tensor:
    """Number of nonzero elements, in all or over axes."""
def nanquantile(input: Any, q: Any, dim: Any = None, keepdim: Any = False, *, interpolation: Any = 'linear') -> Tensor:
    """Quantile of the elements that are not NaN, in all or along an axis."""
def mode(input: Any, dim: Any = -1, keepdim: Any = False) -> Any:
    """The most frequent value along an axis, the smallest of equals, and the index of its last
    occurrence.
    """
def histc(input: Any, bins: Any = 100, min: Any = 0, max: Any = 0) -> Tensor:
    """Counts in bins of equal width from min to max, the last closed; min = max = 0 takes those of the
    data.
    """
def histogram(input: Any, bins: Any = 10, *, range: Any = None, weight: Any = None, density: Any = False) -> Any:
    """Counts in bins and their edges. `bins` is a number of bins of equal width over `range` (by
    default that of the data), or a tensor of edges; the last bin is closed.
    """
def bucketize(input: Any, boundaries: Any, *, right: Any = False, out_int32: Any = False) -> Tensor:
    """Index of the bucket between boundaries that each value falls into."""
def unique_consecutive(input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None) -> Any:
    """Values without repeats of the one before, on request with the index of each element and the
    counts. Along an axis: slices.
    """
def equal(input: Any, other: Any) -> builtins.bool:
    """Whether both have the same shape and elements: a bool."""
def allclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> builtins.bool:
    """Whether all elements are equal within tolerances: a bool."""
def argwhere(input: Any) -> Tensor:
    """Indices of the nonzero elements [n, axes]."""
def isin(elements: Any, test_elements: Any, *, assume_unique: Any = False, invert: Any = False) -> Tensor:
    """Whether each element is one of the test elements."""
def diff(input: Any, n: Any = 1, dim: Any = -1, prepend: Any = None, append: Any = None, *, axis: Any = None) -> Tensor:
    """n-th difference along an axis."""
def cov(input: Any, *, correction: Any = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """Covariance matrix of variables (rows) over observations (columns)."""
def corrcoef(input: Any) -> Tensor:
    """Correlation matrix of variables (rows) over observations (columns)."""
def cummax(input: Any, dim: Any) -> builtins.tuple[Tensor, Tensor]:
    """Maximum of the elements so far along an axis, and its index, of equals the last: (values,
    indices).
    """
def cummin(input: Any, dim: Any) -> builtins.tuple[Tensor, Tensor]:
    """Minimum of the elements so far along an axis, and its index, of equals the last: (values,
    indices).
    """
def logcumsumexp(input: Any, dim: Any) -> Tensor:
    """log(cumsum(exp(x))) along an axis, without overflow."""
class finfo:
    """Properties of a floating dtype: bits, eps, max, min, tiny, smallest_normal, resolution, dtype."""
    def __init__(self, dtype: Any = 'f32') -> None: ...
class iinfo:
    """Properties of an integer dtype: bits, max, min, dtype."""
    def __init__(self, dtype: Any) -> None: ...
def get_default_dtype() -> DType:
    """Dtype of floats without another: f32."""
def set_default_dtype(dtype: Any) -> None:
    """Only f32 can be the default; name another in the call, or cast a module by double()."""
def get_num_threads() -> builtins.int:
    """Number of threads that kernels use."""
def is_tensor(obj: Any) -> builtins.bool:
    """Whether the object is a gyre.Tensor."""
def is_floating_point(input: Any) -> builtins.bool:
    """Whether the dtype is floating point."""
def is_complex(input: Any) -> builtins.bool:
    """False: there are no complex dtypes."""
def numel(input: Any) -> builtins.int:
    """Number of elements."""
def is_nonzero(input: Any) -> builtins.bool:
    """Whether a tensor of one element is not 0."""
def result_type(*operands: Any) -> DType:
    """Dtype of the result of an op on these tensors, dtypes and numbers."""
def promote_types(type1: Any, type2: Any) -> DType:
    """The smallest dtype to which both convert."""
def can_cast(from_: Any, to: Any) -> builtins.bool:
    """Whether a conversion keeps the kind of numbers: not from floats to integers, nor from numbers to
    booleans.
    """
def compile(model: Any = None, **options: Any) -> Any:
    """Returns the function or module as it is: ops run when they are called, with kernels that need no
    compilation.
    """
def vmap(func: Any, in_dims: Any = 0, out_dims: Any = 0, randomness: Any = 'error', *, in_axes: Any = 0, out_axes: Any = 0) -> Any:
    """Vectorised map; see gyre.func.vmap."""
def is_inference_mode_enabled() -> builtins.bool:
    """Whether autograd does not record ops on this thread."""
class autocast:
    """Context manager and decorator of PyTorch for mixed precision. Ops of gyre always compute in the
    dtypes of their operands: with enabled=True it warns that it has no effect.
    """
    def __init__(self, device_type: Any = 'cuda', dtype: Any = None, enabled: Any = True, cache_enabled: Any = None) -> None: ...
    def __enter__(self) -> autocast: ...
    def __exit__(self, *error: Any) -> None: ...
    def __call__(self, function: Any) -> Any: ...
def is_autocast_enabled(device_type: Any = None) -> builtins.bool:
    """False: ops compute in the dtypes of their operands."""
def set_float32_matmul_precision(precision: Any) -> None:
    """Has no effect: products of f32 are computed in f32, PyTorch's "highest"."""
def get_float32_matmul_precision() -> builtins.str:
    """"highest": products of f32 are computed in f32."""
def set_printoptions(precision: Any = None, threshold: Any = None, edgeitems: Any = None, linewidth: Any = None, profile: Any = None, sci_mode: Any = None) -> None:
    """Has no effect: tensors are printed with as many digits as their dtype has."""
def use_deterministic_algorithms(mode: Any, *, warn_only: Any = False) -> None:
    """Has no effect: results do not depend on the run."""
def are_deterministic_algorithms_enabled() -> builtins.bool:
    """True: results do not depend on the run."""
def t(input: Any) -> Tensor:
    """Matrix transpose; a vector as it is."""
def flatten(input: Any, start_dim: Any = 0, end_dim: Any = -1, *, order: Any = None) -> Tensor:
    """Merges the axes from start_dim to end_dim into one; all of them in NumPy's order "C", "F", "A" or
    "K".
    """
def unflatten(input: Any, dim: Any, sizes: Any) -> Tensor:
    """Splits an axis into axes of these sizes, one of which may be -1."""
def ravel(input: Any, order: Any = 'C') -> Tensor:
    """Flattens to one axis, in NumPy's order "C", "F", "A" or "K"."""
def movedim(input: Any, source: Any, destination: Any) -> Tensor:
    """Moves axes to other positions; the others keep their order."""
def moveaxis(input: Any, source: Any, destination: Any) -> Tensor:
    """Same as movedim."""
def unbind(input: Any, dim: Any = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
    """Slices along an axis, as a tuple of views without it."""
def split_with_sizes(input: Any, split_sizes: Any, dim: Any = 0) -> Tensor:
    """Parts of these sizes along an axis, as views."""
def tensor_split(input: Any, indices_or_sections: Any, dim: Any = 0, *, axis: Any = None) -> builtins.tuple[Tensor, ...]:
    """Parts along an axis, as views: that many of nearly equal size, or between the indices of a list.
    """
def hsplit(input: Any, indices_or_sections: Any) -> Any:
    """Equal parts along axis 0 (0 of a vector), or between indices."""
def vsplit(input: Any, indices_or_sections: Any) -> Any:
    """Equal parts along axis 1, or between indices."""
def dsplit(input: Any, indices_or_sections: Any) -> Any:
    """Equal parts along axis 2, or between indices."""
def atleast_1d(*tensors: Any) -> Any:
    """Tensors with at least one axis."""
def atleast_2d(*tensors: Any) -> Any:
    """Tensors with at least two axes; a vector is a row."""
def atleast_3d(*tensors: Any) -> Any:
    """Tensors with at least three axes: a vector is [1, n, 1], a matrix [m, n, 1]."""
def hstack(tensors: Any) -> Tensor:
    """Joins along axis 1, vectors along axis 0."""
def vstack(tensors: Any) -> Tensor:
    """Joins along axis 0; vectors are rows."""
def row_stack(tensors: Any) -> Tensor:
    """Same as vstack."""
def dstack(tensors: Any) -> Tensor:
    """Joins along axis 2; vectors are [1, n, 1], matrices [m, n, 1]."""
def column_stack(tensors: Any) -> Tensor:
    """Joins along axis 1; vectors are columns."""
def broadcast_tensors(*tensors: Any) -> builtins.tuple[Tensor, ...]:
    """Tensors broadcast to their common shape."""
def broadcast_shapes(*shapes: Any) -> builtins.tuple[builtins.int, ...]:
    """The shape to which tensors of these shapes broadcast."""
def rot90(input: Any, k: Any = 1, dims: Any = (0, 1)) -> Tensor:
    """Rotates the plane of two axes by 90 degrees k times, from the first towards the second."""
def fliplr(input: Any) -> Tensor:
    """Reverses axis 1."""
def flipud(input: Any) -> Tensor:
    """Reverses axis 0."""
def narrow(input: Any, dim: Any, start: Any, length: Any) -> Tensor:
    """View of `length` indices along an axis, from `start`."""
def diag(input: Any, diagonal: Any = 0) -> Tensor:
    """Diagonal of a matrix, or the matrix with a vector on its diagonal."""
def diagflat(input: Any, offset: Any = 0) -> Tensor:
    """Matrix with the flattened tensor on its diagonal."""
def adjoint(input: Any) -> Tensor:
    """Matrix transpose of the last two axes."""
def polygamma(n: Any, input: Any) -> Tensor:
    """The n-th derivative of digamma, n >= 0."""
def mvlgamma(input: Any, p: Any) -> Tensor:
    """multigammaln()."""
class memory_format:
    """Order of the elements of a result in memory: gyre.contiguous_format, channels_last, channels_last_3d or
    preserve_format."""
    def __init__(self, name: Any, axes: Any = None) -> None: ...
    def __repr__(self) -> builtins.str: ...
    def of(self, x: Any) -> Tensor:
        """The tensor with its elements in this order, a copy if they are not."""
contiguous_format: memory_format
preserve_format: memory_format
channels_last: memory_format
channels_last_3d: memory_format
pi: builtins.float
e: builtins.float
inf: builtins.float
nan: builtins.float
newaxis: None
dtype = DType
